#!/usr/bin/env node
// Registers the TypeScript loader in this process, then runs the command line.
import { register } from 'tsx/esm/api'

register()
await import('./main.ts')
