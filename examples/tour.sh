#!/usr/bin/env bash
# The tour: Gantry's main job, as plain HTTP calls.
#
# It starts a gateway of its own on a temporary data directory (the README's `npm start`), creates a project with a device, imports a
# real program, reads it, generates and imports a phase of a design spec, takes and restores a snapshot, saves, closes, kills the
# gateway with SIGKILL, starts it again and looks whether everything is still there.
#
#   npm run tour                    # with a real program of the corpus
#   PROGRAM=/path/to/exports npm run tour
#
# Needs bash, curl and node.
set -euo pipefail
cd "$(dirname "$0")/.."

PROGRAM="${PROGRAM:-test/corpus/public/psi-func+ikea_vyatka_sorting/PLC_1}"
PROGRAM="$(cd "$PROGRAM" && pwd -P)"
SPEC="$(pwd -P)/examples/mixer.csv"
home="$(mktemp -d)"
data="$home/data"
export GANTRY_WORKSPACE="$home/workspace:$PROGRAM"
gateway_pid=""

cleanup() {
  [ -n "$gateway_pid" ] && kill -9 "$gateway_pid" 2>/dev/null || true
  rm -rf "$home"
}
trap cleanup EXIT

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
fail() { echo "tour: $*" >&2; exit 1; }

# Reads one value of a JSON text: json '<expression over x>' < text
json() { node -e 'let t="";process.stdin.on("data",d=>t+=d).on("end",()=>{const x=JSON.parse(t);const v=eval(process.argv[1]);console.log(typeof v==="string"?v:JSON.stringify(v))})' "$1"; }

# Starts the gateway with the README's command and waits for its address and key.
start() {
  npm start --silent -- --data-dir "$data" --port 0 --log-level warn > "$home/output" 2>&1 &
  for _ in $(seq 1 1800); do
    if [ -s "$data/gateway.json" ] && [ "$(json x.pid < "$data/gateway.json")" != "$gateway_pid" ]; then
      gateway_pid="$(json x.pid < "$data/gateway.json")"
      url="$(json x.url < "$data/gateway.json")"
      key="$(cat "$data/api-key")"
      return
    fi
    sleep 0.1
  done
  cat "$home/output" >&2
  fail "the gateway does not start"
}

# api METHOD PATH [JSON body]: prints the answer; a problem ends the tour.
api() {
  local method="$1" path="$2" out status
  if [ $# -ge 3 ]; then
    status="$(curl -sS -o "$home/answer" -w '%{http_code}' -X "$method" "$url$path" -H "X-API-Key: $key" -H 'Content-Type: application/json' --data-binary "$3")"
  else
    status="$(curl -sS -o "$home/answer" -w '%{http_code}' -X "$method" "$url$path" -H "X-API-Key: $key")"
  fi
  out="$(cat "$home/answer")"
  [ "$status" -lt 400 ] || fail "$method $path answered $status: $out"
  printf '%s' "$out"
}

# Waits for a job and prints its record; a failed job ends the tour.
wait_for() {
  local job status
  while :; do
    job="$(api GET "/api/jobs/$1?wait=5")"
    status="$(json x.status <<< "$job")"
    case "$status" in
      Pending | Running) printf '   %s %s%% %s\n' "$status" "$(json x.progress <<< "$job")" "$(json 'x.message??""' <<< "$job")" >&2 ;;
      Completed) printf '%s' "$job"; return ;;
      *) fail "job $1 is $status: $job" ;;
    esac
  done
}

is() { [ "$1" = "$2" ] || fail "$3: expected \"$2\", found \"$1\""; }

say "0. Start the gateway"
start
echo "   $url, $(curl -sS "$url/api/health" | json x.status)"

say "1. Create a project, add a device by its order number"
api POST /api/projects/actions/create-sync '{"name":"Sorting","author":"tour","version":"V16"}' | json '"   project "+x.name+" in "+x.path'
api POST /api/projects/devices/actions/add-sync '{"orderNumber":"6ES7 515-2AM02-0AB0","name":"PLC_1"}' | json '"   device "+x.name+": "+x.typeName'

say "2. Import a real program as one job"
job="$(api POST /api/devices/PLC_1/blocks/actions/import "$(node -p 'JSON.stringify({filePath: process.argv[1]})' "$PROGRAM")" | json x.jobId)"
wait_for "$job" | json '"   "+x.result.imported+" objects imported in "+x.durationMs+" ms; compiled: "+x.result.compiled'
blocks="$(api GET /api/devices/PLC_1/blocks)"
json '"   "+x.total+" blocks, e.g. "+x.blocks.slice(0,4).map(b=>b.name+" ("+b.type+" "+b.programmingLanguage+")").join(", ")' <<< "$blocks"
# The program is as it was published: some types are not part of it, and safety blocks are kept but not compiled, so what uses them has errors.
api POST /api/devices/PLC_1/actions/compile-sync '{}' > "$home/compiled.json"
json '(m=>{const leaves=l=>l.flatMap(x=>x.messages.length?leaves(x.messages):[x]);const errors=leaves(m.messages).filter(x=>x.state==="Error");const missing=[...new Set(errors.flatMap(x=>/"([^"]+)" (?:is not )?in the program/.exec(x.description)?.[1]??[]))];return "   compiled: "+m.compiledBlocks+" blocks, "+m.errorCount+" errors"+(missing.length?": not exported, or of the safety program: "+missing.slice(0,6).join(", ")+(missing.length>6?" and "+(missing.length-6)+" more":""):"")})(x)' < "$home/compiled.json"
api GET /api/devices/PLC_1/blocks/tree | json '"   tree: "+JSON.stringify(x).length+" bytes"'
api GET /api/devices/PLC_1/blocks/FB_Ramp/content | json '"   FB_Ramp: "+[...new Set(x.interface.map(m=>m.section))].map(s=>s+" "+x.interface.filter(m=>m.section===s).length).join(", ")'
api GET /api/devices/PLC_1/blocks/FB_Ramp/export-xml > "$home/FB_Ramp.xml"
grep -q '<SW.Blocks.FB ' "$home/FB_Ramp.xml" || fail "the export is not a block"
echo "   FB_Ramp exported as XML: $(wc -c < "$home/FB_Ramp.xml") bytes"

say "3. Load a design spec, generate a phase, import it"
curl -sS -f "$url/api/design-spec/load" -H "X-API-Key: $key" -F "file=@$SPEC" | json '"   "+x.cmTypes+" control-module types, "+x.phases+" phases"'
api GET /api/design-spec/model | json '"   areas: "+x.areas.map(a=>a.name).join(", ")'
phase="$(api GET /api/design-spec/phases | json 'x[0].name')"
api POST /api/design-spec/generate "{\"phase\":\"$phase\"}" > "$home/phase.scl"
echo "   $phase: $(wc -l < "$home/phase.scl") lines of SCL"
generated="$(api POST /api/design-spec/generate-and-import "{\"phase\":\"$phase\",\"device\":\"PLC_1\"}")"
json '"   "+x.blockName+" imported: "+x.imported+", compiled: "+x.compiled' <<< "$generated"
is "$(json x.imported <<< "$generated")" true "generate-and-import"

say "4. Prove the phase, run a program on a virtual controller"
api POST /api/design-spec/actions/verify-phases-sync "{\"phases\":[\"$phase\"]}" > "$home/verified.json"
json '"   "+x.phases[0].phase+": "+x.phases[0].result+", "+x.phases[0].coverage.reached+" of "+x.phases[0].coverage.total+" steps reached"' < "$home/verified.json"
is "$(json x.success < "$home/verified.json")" true "the phase obeys the state table"
api POST /api/projects/actions/simulation-support '{}' > /dev/null
address="$(api POST /api/projects/devices/actions/add-sync '{"orderNumber":"6ES7 515-2AM02-0AB0","name":"Tank"}' | json x.ipAddress)"
api POST /api/devices/Tank/external-sources/import-and-generate "$(node -p 'JSON.stringify({content: require("fs").readFileSync("examples/tank.scl","utf8")})')" \
  | json '"   "+x.objects.map(o=>o.name).join(", ")+" compiled: "+x.compileStatus'
api POST /api/simulation/instances/create "{\"name\":\"sim\",\"cpuType\":\"1515\",\"ipAddress\":\"$address\"}" > /dev/null
api POST /api/simulation/start '{"instanceName":"sim","deviceName":"Tank"}' | json '"   "+x.name+" is in "+x.state'
api PUT /api/simulation/instances/sim/time '{"mode":"stepped","cycleTimeMs":10}' > /dev/null
api PUT /api/simulation/tags/Tank.pump '{"value":true}' > /dev/null
api POST /api/simulation/instances/sim/actions/advance '{"milliseconds":60000}' | json '"   60 s of virtual time, "+x.cycles+" cycles"'
api GET /api/simulation/tags/Tank | json '"   "+JSON.stringify(x.value)'
is "$(api GET /api/simulation/tags/Tank.isFull | json x.value)" true "the tank is full"

say "5. Snapshot a block, change it, restore it"
source_of() { api GET "/api/devices/PLC_1/blocks/$1/source" | json x.sourceText; }
source_of Adder > "$home/before.scl"
snapshot="$(api POST /api/history/blocks/PLC_1/Adder/actions/snapshot '{"comment":"before the change"}' | json x.snapshotId)"
node -e 'const fs=require("fs");process.stdout.write(JSON.stringify({sourceText: fs.readFileSync(process.argv[1],"utf8").replace("#Count + 1","#Count + 2")}))' "$home/before.scl" > "$home/change.json"
api PUT /api/devices/PLC_1/blocks/Adder/content "@$home/change.json" > /dev/null
source_of Adder > "$home/changed.scl"
cmp -s "$home/before.scl" "$home/changed.scl" && fail "the change is not there"
api POST "/api/history/snapshots/$snapshot/actions/restore-sync" '{}' > /dev/null
source_of Adder > "$home/restored.scl"
cmp "$home/before.scl" "$home/restored.scl" || fail "the restored block differs"
echo "   snapshot $snapshot restored"

say "6. Save, close, kill the gateway, start it again"
api POST /api/projects/actions/save-sync '{}' | json '"   saved "+x.path'
project="$(api GET /api/projects | json 'x.projects[0].path')"
api POST /api/projects/actions/close-sync '{}' > /dev/null
kill -9 "$gateway_pid"
start
echo "   $url again"
is "$(api GET "/api/jobs/$job" | json x.status)" Completed "the import job after the restart"
is "$(api GET "/api/history/snapshots/$snapshot" | json x.snapshotId)" "$snapshot" "the snapshot after the restart"
wait_for "$(api POST /api/projects/actions/open "$(node -p 'JSON.stringify({path: process.argv[1]})' "$project")" | json x.jobId)" | json '"   opened "+x.result.name'
is "$(api GET /api/devices/PLC_1/blocks | json 'x.blocks.map(b=>b.name).sort().join()')" \
   "$(json '[...x.blocks.map(b=>b.name), "FB_'"$phase"'"].sort().join()' <<< "$blocks")" "the blocks of the project opened again"
source_of Adder > "$home/reopened.scl"
cmp "$home/before.scl" "$home/reopened.scl" || fail "the saved block differs"
api GET '/api/audit?limit=5' | json '"   audit: the newest of its entries are "+x.entries.slice(0,3).map(e=>e.type).join(", ")'
is "$(api GET /api/audit/verify | json x.ok)" true "audit verify"
echo "   audit verify: the chain is whole"

say "Done."
