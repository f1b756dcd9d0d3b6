/** Writes docs/routes.md: `node --import tsx scripts/routes-docs.ts > docs/routes.md`. */
import { routesPage } from '../test/conformance/routes-page.ts'

process.stdout.write(routesPage())
