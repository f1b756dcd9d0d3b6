/** The style of a verification report: for the screen, and for A4 on paper. */
export const reportStyle = `
:root { --ink: #1a1f27; --soft: #5b6573; --line: #c9d0d9; --pale: #f3f5f8; --good: #17653b; --bad: #a3171e; --open: #8a5300; }
* { box-sizing: border-box; }
html { background: #e6e9ee; }
body { margin: 0 auto; max-width: 210mm; padding: 18mm 16mm; background: #fff; color: var(--ink);
  font: 10pt/1.42 "Helvetica Neue", Arial, "Liberation Sans", sans-serif; }
h1 { font-size: 24pt; line-height: 1.15; margin: 0 0 2mm; letter-spacing: -0.01em; }
h2 { font-size: 14pt; margin: 11mm 0 3mm; padding-bottom: 1.2mm; border-bottom: 0.5mm solid var(--ink); break-after: avoid; }
h3 { font-size: 11pt; margin: 6mm 0 1.5mm; break-after: avoid; }
p { margin: 0 0 2.5mm; max-width: 165mm; }
code, .mono { font-family: "DejaVu Sans Mono", Consolas, "Liberation Mono", monospace; font-size: 0.86em; }
table { width: 100%; border-collapse: collapse; margin: 1.5mm 0 4mm; }
th, td { text-align: left; vertical-align: top; padding: 1mm 1.8mm; border-bottom: 0.2mm solid var(--line); overflow-wrap: anywhere; }
thead { display: table-header-group; }
thead th { font-size: 8.5pt; color: var(--soft); border-bottom: 0.4mm solid var(--soft); font-weight: 600; }
tr { break-inside: avoid; }
.kicker { color: var(--soft); font-size: 10pt; margin: 0 0 1mm; }
.title { min-height: 225mm; display: flex; flex-direction: column; }
.title .verdict { margin: 9mm 0 7mm; padding: 4mm 5mm; border: 0.6mm solid; border-left-width: 3mm; }
.verdict strong { display: block; font-size: 16pt; }
.verdict span { color: var(--ink); }
.facts th { width: 46mm; font-weight: 600; color: var(--soft); }
.facts td, .facts th { padding: 1.3mm 1.8mm; }
.note { margin-top: auto; color: var(--soft); font-size: 8.5pt; }
.good { color: var(--good); } .bad { color: var(--bad); } .open { color: var(--open); }
.result { font-weight: 700; white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.overview th:nth-child(n+2):nth-child(-n+6), .overview td:nth-child(n+2):nth-child(-n+6) { text-align: right; white-space: nowrap; }
.checks { font-size: 8pt; line-height: 1.32; table-layout: fixed; }
.checks th:nth-child(1), .checks td:nth-child(1) { width: 13mm; color: var(--soft); }
.checks th:nth-child(2), .checks td:nth-child(2) { width: 21mm; text-align: right; white-space: nowrap; }
.checks th:nth-child(3), .checks td:nth-child(3) { width: 12mm; }
.checks th:nth-child(7), .checks td:nth-child(7) { width: 16mm; }
.checks .value { display: block; }
.checks .remark { display: block; color: var(--soft); font-style: italic; }
.rule { margin: 0 0 1mm; }
.wrong { color: var(--bad); font-weight: 700; }
.deviation { border-left: 1mm solid var(--bad); padding: 0 0 0 4mm; margin: 4mm 0; }
.trace { font-size: 8pt; table-layout: fixed; line-height: 1.35; }
.trace th:nth-child(1) { width: 15mm; } .trace th:nth-child(2) { width: 28mm; } .trace th:nth-child(3) { width: 42mm; }
.sign { break-inside: avoid; }
.sign h3 { margin-top: 5mm; }
.sign table { table-layout: fixed; }
.sign td { height: 14mm; border: 0.2mm solid var(--soft); }
.sign th { border: 0.2mm solid var(--soft); }
.choice { margin: 2mm 0; } .box { display: inline-block; width: 3.6mm; height: 3.6mm; border: 0.3mm solid var(--ink); margin: 0 2mm 0 0; vertical-align: -0.5mm; }
@page { size: A4; margin: 17mm 15mm 19mm;
  @bottom-left { content: "Verification report"; font: 8pt Arial, sans-serif; color: #5b6573; }
  @bottom-right { content: "Page " counter(page) " of " counter(pages); font: 8pt Arial, sans-serif; color: #5b6573; } }
@media print { html { background: none; } body { max-width: none; padding: 0; }
  .title { break-after: page; } .phase { break-before: page; } .signatures { break-inside: avoid; } }
`
