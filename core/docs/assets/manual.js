/* The manual works without this program: it adds buttons that copy code, and folds the list of pages on small screens. */
for (const block of document.querySelectorAll('pre')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  })
  // Browsers give the clipboard only to secure pages: https, and those of this machine.
  if (navigator.clipboard) block.append(button)
}
const pages = document.querySelector('.pages details')
if (matchMedia('(max-width: 55rem)').matches) pages.open = false
document.querySelector('.pages [aria-current]')?.scrollIntoView({ block: 'nearest' })
