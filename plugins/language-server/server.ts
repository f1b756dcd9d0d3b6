/** The language server: what editors ask over standard input and output goes to the service of the folder. */
import { fileURLToPath } from 'node:url'
import {
  DidChangeWatchedFilesNotification,
  LSPErrorCodes,
  ResponseError,
  TextDocumentSyncKind,
  TextDocuments,
  type TextEdit,
} from 'vscode-languageserver'
import { createConnection } from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import type { TextRange } from '../../plc/language-service/service.ts'
import { completionKinds, diagnosticsOf, signatureHelp, symbolKinds, symbolOf } from './convert.ts'
import { EditedFolder, type FolderEvents } from './folder.ts'

/** Files whose changes outside the editor matter. */
const watched = '**/*.{scl,udt,db,awl,stl,s7dcl,s7res,xml,xlsx,sdf,asc,csv,aml,yml,yaml}'

/** A place in a folder. */
interface Target {
  readonly folder: EditedFolder
  readonly path: string
  readonly document: TextDocument
}

/** Serves until the editor ends it. @returns the exit code */
export function runServer(version: string): Promise<number> {
  const connection = createConnection(process.stdin, process.stdout)
  const documents = new TextDocuments(TextDocument)
  const folders: EditedFolder[] = []
  const published = new Map<EditedFolder, Set<string>>()
  let canWatch = false
  let hasOffsets = false

  const events: FolderEvents = {
    failed: (message) => connection.console.error(message),
    checked(folder, answer) {
      if (answer.reason !== undefined) connection.console.error(`The check failed: ${answer.reason}`)
      if (answer.reason !== undefined) return
      const now = diagnosticsOf(answer, (path) => folder.service.files.textOf(path))
      for (const path of published.get(folder) ?? [])
        if (!now.has(path)) void connection.sendDiagnostics({ uri: folder.uriOf(path), diagnostics: [] })
      for (const [path, diagnostics] of now) void connection.sendDiagnostics({ uri: folder.uriOf(path), diagnostics })
      published.set(folder, new Set(now.keys()))
    },
  }
  const loose = new EditedFolder(undefined, events)
  const found = (uri: string): { readonly folder: EditedFolder; readonly path: string } => {
    for (const folder of folders) {
      const path = folder.pathOf(uri)
      if (path !== undefined) return { folder, path }
    }
    return { folder: loose, path: uri }
  }
  const documentAt = (folder: EditedFolder, path: string): TextDocument =>
    TextDocument.create(folder.uriOf(path), 'scl', 0, folder.service.files.textOf(path) ?? '')
  const target = (uri: string): Target => {
    const { folder, path } = found(uri)
    return { folder, path, document: documents.get(uri) ?? documentAt(folder, path) }
  }
  const locations = (folder: EditedFolder, ranges: readonly TextRange[]) => {
    const texts = new Map<string, TextDocument>()
    return ranges.map(({ path, start, end }) => {
      const document = texts.get(path) ?? documentAt(folder, path)
      texts.set(path, document)
      return {
        uri: folder.uriOf(path),
        range: { start: document.positionAt(start), end: document.positionAt(end) },
      }
    })
  }

  connection.onInitialize(({ workspaceFolders, rootUri, capabilities }) => {
    hasOffsets =
      capabilities.textDocument?.signatureHelp?.signatureInformation?.parameterInformation?.labelOffsetSupport === true
    canWatch = capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true
    for (const uri of workspaceFolders?.map((one) => one.uri) ?? (rootUri ? [rootUri] : []))
      if (uri.startsWith('file:')) folders.push(new EditedFolder(fileURLToPath(uri), events))
    return {
      serverInfo: { name: 'gantry', version },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        hoverProvider: true,
        completionProvider: { triggerCharacters: ['.', '#', '"', '('] },
        definitionProvider: true,
        referencesProvider: true,
        renameProvider: { prepareProvider: true },
        documentFormattingProvider: true,
        documentSymbolProvider: true,
        signatureHelpProvider: { triggerCharacters: ['(', ','] },
        workspaceSymbolProvider: true,
      },
    }
  })
  let loaded: Promise<void> = Promise.resolve()
  connection.onInitialized(() => {
    if (canWatch)
      void connection.client.register(DidChangeWatchedFilesNotification.type, {
        watchers: [{ globPattern: watched }],
      })
    loaded = Promise.all(folders.map((folder) => folder.load())).then(() => undefined)
  })

  documents.onDidChangeContent(({ document }) => {
    const { folder, path } = found(document.uri)
    folder.edit(path, document.uri, document.getText())
  })
  documents.onDidClose(({ document }) => {
    const { folder, path } = found(document.uri)
    void folder.close(path)
  })
  const reread = (uri: string) => {
    const { folder, path } = found(uri)
    if (folder !== loose) void folder.reread(path)
  }
  documents.onDidSave(({ document }) => reread(document.uri))
  connection.onDidChangeWatchedFiles(({ changes }) => {
    for (const { uri } of changes) reread(uri)
  })

  connection.onHover(async ({ textDocument, position }) => {
    await loaded
    const { folder, path, document } = target(textDocument.uri)
    const hover = folder.service.hover(path, document.offsetAt(position))
    if (hover === undefined) return null
    const range = { start: document.positionAt(hover.start), end: document.positionAt(hover.end) }
    return { contents: { kind: 'markdown', value: hover.text }, range }
  })
  connection.onCompletion(async ({ textDocument, position }) => {
    await loaded
    const { folder, path, document } = target(textDocument.uri)
    const { start, end, items, isIncomplete } = folder.service.complete(path, document.offsetAt(position))
    const range = { start: document.positionAt(start), end: document.positionAt(end) }
    return {
      isIncomplete,
      items: items.map(({ text, kind, detail, comment }) => ({
        ...{ label: text.trim(), kind: completionKinds[kind], filterText: text, textEdit: { range, newText: text } },
        ...(detail === undefined ? {} : { detail }),
        ...(comment === undefined ? {} : { documentation: comment }),
      })),
    }
  })
  connection.onDefinition(async ({ textDocument, position }) => {
    await loaded
    const { folder, path, document } = target(textDocument.uri)
    return locations(folder, folder.service.definition(path, document.offsetAt(position)))
  })
  connection.onReferences(async ({ textDocument, position, context }) => {
    await loaded
    const { folder, path, document } = target(textDocument.uri)
    const offset = document.offsetAt(position)
    return locations(folder, folder.service.references(path, offset, context.includeDeclaration))
  })
  connection.onPrepareRename(async ({ textDocument, position }) => {
    await loaded
    const { folder, path, document } = target(textDocument.uri)
    const name = folder.service.renameable(path, document.offsetAt(position))
    if ('fault' in name) throw new ResponseError(LSPErrorCodes.RequestFailed, name.fault)
    const range = { start: document.positionAt(name.start), end: document.positionAt(name.end) }
    return { range, placeholder: name.name }
  })
  connection.onRenameRequest(async ({ textDocument, position, newName }) => {
    await loaded
    const { folder, path, document } = target(textDocument.uri)
    const edits = folder.service.rename(path, document.offsetAt(position), newName)
    if ('fault' in edits) throw new ResponseError(LSPErrorCodes.RequestFailed, edits.fault)
    const changes: Record<string, TextEdit[]> = {}
    for (const [i, { uri, range }] of locations(folder, edits).entries()) {
      changes[uri] ??= []
      changes[uri].push({ range, newText: edits[i]!.text })
    }
    return { changes }
  })
  connection.onDocumentFormatting(async ({ textDocument, options: { tabSize, insertSpaces } }) => {
    const { folder, path, document } = target(textDocument.uri)
    await loaded
    const indent = insertSpaces ? Math.min(8, Math.max(1, tabSize)) : 0
    const text = folder.service.format(path, { indent, ...folder.format })
    if (text === undefined) return []
    return [
      {
        range: { start: { line: 0, character: 0 }, end: document.positionAt(document.getText().length) },
        newText: text,
      },
    ]
  })
  connection.onDocumentSymbol(({ textDocument }) => {
    const { folder, path, document } = target(textDocument.uri)
    return folder.service.symbols(path).map((entry) => symbolOf(entry, document))
  })

  connection.onSignatureHelp(async ({ textDocument, position }) => {
    await loaded
    const { folder, path, document } = target(textDocument.uri)
    const found = folder.service.signature(path, document.offsetAt(position))
    return found === undefined ? null : signatureHelp(found, hasOffsets)
  })
  connection.onWorkspaceSymbol(async ({ query }) => {
    await loaded
    return [...folders, loose].flatMap((folder) => {
      const found = folder.service.symbolsLike(query)
      const ranges = found.map(({ declared: { file, at: [start, end] = [0, 0] } }) => ({ path: file, start, end }))
      const places = locations(folder, ranges)
      return found.map(({ declared: { name, kind }, container }, i) => ({
        ...{ name, kind: symbolKinds[kind], location: places[i]! },
        ...(container === undefined ? {} : { containerName: container }),
      }))
    })
  })

  return new Promise((resolve) => {
    const end = () => {
      for (const folder of [...folders, loose]) folder.end()
      resolve(0)
    }
    // The connection ends the process when the editor says so; without a word it is over when the input ends.
    connection.onShutdown(() => {
      for (const folder of [...folders, loose]) folder.end()
    })
    process.stdin.once('end', end)
    documents.listen(connection)
    connection.listen()
  })
}
