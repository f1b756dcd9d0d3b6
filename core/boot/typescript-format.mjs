/**
 * A module hook for third-party plugins: TypeScript is an ES module, whether or not a `package.json` near it says so.
 * Plain JavaScript because Node runs hooks in a thread without other loaders.
 */
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context)
  return /\.m?ts([?#]|$)/.test(found.url) ? { ...found, format: 'module' } : found
}
