/** Contributions of other plugins to a project: parts of its files, and importers of folders without a manifest. */
import {
  type BlobWriter,
  type CommandContext,
  extensionPoint,
  type Fault,
  type QueryContext,
  type SliceReader,
} from '../../core/index.ts'
import type { Project } from './project.ts'

/** One file of the project tree. Either `content`, or `blob`: the hash of content that is a blob already. */
export interface ProjectFile {
  /** Relative to the project's folder, `/` between the segments. Make segments with `fileNameOf`. */
  readonly path: string
  readonly content?: string | Uint8Array
  readonly blob?: string
  /** Time of the last change of its content, ms; the file gets this time. */
  readonly modifiedAt?: number
}

/** A PLC that the files belong to, if their project names it. */
export interface GivenController {
  /** Name of its folder. */
  readonly name: string
  readonly orderNumber?: string
  /** `V2.9`. */
  readonly firmware?: string
  readonly typeName?: string
  readonly interfaces: readonly GivenInterface[]
}
/** An interface of a PLC in a network. */
export interface GivenInterface {
  /** Label, for example `X1`. */
  readonly name: string
  readonly ipAddress?: string
  readonly subnetMask?: string
  readonly routerAddress?: string
  readonly profinetDeviceName?: string
  /** Name of the subnet it is connected to. */
  readonly subnet?: string
  /** Default: Ethernet. */
  readonly subnetType?: 'Profibus' | 'Mpi'
  /** Address on PROFIBUS or MPI. */
  readonly busAddress?: number
  readonly ioSystem?: {
    readonly name: string
    readonly number: number
    readonly role: 'controller' | 'device'
    readonly deviceNumber?: number
  }
}

/** A rack, a module or a part of one, as a project has it. */
export interface GivenItem {
  readonly name: string
  /** Slot, subslot, or number of a rack. */
  readonly position?: number
  readonly orderNumber?: string
  readonly firmware?: string
  readonly typeName?: string
  readonly hardwareIdentifier?: number
  /** Ranges of the controller's I/O area; `length` in bits. */
  readonly addresses: readonly {
    readonly ioType: 'Input' | 'Output'
    readonly start: number
    readonly length: number
  }[]
  /** For an interface: its label, which is the name of its entry in the device's network, and its node. */
  readonly interface?: {
    readonly label: string
    readonly type: 'Ethernet' | 'Profibus' | 'Mpi'
    readonly node: string
    readonly ioSystem?: string
  }
  readonly isPort: boolean
  /** The cables at a port; each has the same word at both ends. */
  readonly cables: readonly string[]
  /** It is the CPU or head module of the station. */
  readonly isHead: boolean
  readonly modules: readonly GivenItem[]
}

/** A station that a project says all of. Its device is called like its CPU or head module. */
export interface GivenStation {
  /** `S7-1500/ET200MP station_1`. */
  readonly name: string
  /** `System:Device.S71500`. */
  readonly typeIdentifier: string
  readonly isController: boolean
  readonly head: GivenItem
  readonly interfaces: readonly GivenInterface[]
  readonly racks: readonly GivenItem[]
}

/** An object of a library as the file that an export gives. */
export interface GivenLibraryFile {
  readonly name: string
  /** `FB`, `UDT`, `TagTable` … */
  readonly kind: string
  /** Folder in what was copied, `A/B`; empty: none. */
  readonly folder: string
  readonly number?: number
  readonly secondaryType?: string
  readonly instanceOf?: string
  /** Names that it uses. */
  readonly uses: readonly string[]
  readonly text: string
}

interface GivenLibraryEntry {
  readonly name: string
  /** Folder of the library, `A/B`; empty: none. */
  readonly folder: string
  readonly author: string
  readonly comment: string
  /** ISO 8601. */
  readonly createdAt?: string
}

/** The library of a project of another tool: types with their versions, and master copies. */
export interface GivenLibrary {
  readonly types: readonly (GivenLibraryEntry & {
    readonly defaultVersion: string
    readonly versions: readonly {
      readonly version: string
      readonly isReleased: boolean
      readonly author: string
      readonly comment: string
      readonly createdAt?: string
      readonly file: GivenLibraryFile
      readonly dependencies: readonly { readonly type: string; readonly version: string }[]
    }[]
  })[]
  readonly copies: readonly (GivenLibraryEntry & {
    readonly isFolder: boolean
    readonly files: readonly GivenLibraryFile[]
  })[]
  /** Objects of the programs that are instances of its types. */
  readonly instances: readonly {
    /** Name of the PLC. */
    readonly controller: string
    readonly name: string
    /** `FB`, `UDT` … */
    readonly kind: string
    readonly type: string
    readonly version: string
  }[]
}

/** The files that a project is loaded from: a folder, or the content of an archive. */
export interface ProjectFiles {
  /** The PLCs of the project; none for a folder of exported files. */
  readonly controllers: readonly GivenController[]
  /** All of its stations, if the project contains them. */
  readonly stations: readonly GivenStation[]
  /** Its library, if the project contains one. */
  readonly library: GivenLibrary
  /** Relative paths, sorted; with a prefix only those that start with it (e.g. `devices/PLC_1/`). */
  list(prefix?: string): string[]
  has(path: string): boolean
  /** @throws GatewayError `not_found` */
  read(path: string): Promise<Buffer>
  /** When the file was last changed, ms. */
  modifiedAt(path: string): Promise<number>
}

/** Reports progress, 0 … 1. */
export type SectionProgress = (fraction: number, message?: string) => void

/** A device in the overview and the infrastructure. */
export interface OverviewDevice {
  readonly id: string
  readonly name: string
  readonly [field: string]: unknown
}

/** A device of the overview with its content; parts can add fields. */
export interface OverviewEntry extends OverviewDevice {
  readonly blocks: readonly { readonly name: string; readonly type: string; readonly language: string }[]
  readonly tagTables: readonly { readonly name: string; readonly tagCount: number; readonly isDefault: boolean }[]
  readonly udts: readonly {
    readonly name: string
    readonly number: number | null
    readonly isConsistent: boolean
    readonly modifiedDate: string
  }[]
  readonly deviceItems: readonly { readonly name: string; readonly typeIdentifier: string }[]
  readonly hmiScreens?: readonly { readonly name: string; readonly screenType: string }[]
  readonly watchTables?: readonly { readonly name: string; readonly entryCount: number }[]
  readonly forceTables?: readonly { readonly name: string; readonly entryCount: number }[]
}

/** What `GET /api/projects/infrastructure` shows. */
export interface Infrastructure {
  readonly subnets: readonly Subnet[]
  readonly connections: readonly NetworkConnection[]
  readonly ioSystems: readonly IoSystem[]
}
/** Two devices that exchange data by configuration. */
export interface NetworkConnection {
  readonly name: string
  /** `PROFINET IO`: an IO controller and an IO device; `S7`: a configured connection; `Topology`: a cable. */
  readonly type: string
  readonly device: string
  readonly partner: string
  readonly ioSystem?: string
  readonly subnet?: string
}
export interface NetworkNode {
  readonly device: string
  /** Interface, e.g. `X1`. */
  readonly interface: string
  readonly ipAddress?: string
  readonly subnetMask?: string
  /** On PROFIBUS and MPI. */
  readonly busAddress?: number
  /** PROFINET device name, when one was set. */
  readonly profinetName?: string
}
export interface Subnet {
  readonly name: string
  /** Ethernet, Profibus, Mpi, Asi (CAx AML, role Subnet). */
  readonly type: string
  readonly nodes: readonly NetworkNode[]
}
export interface IoSystem {
  readonly name: string
  readonly number?: number
  /** Device whose interface is the IO controller. */
  readonly controller?: string
  readonly subnet?: string
  /** Devices that it controls. */
  readonly devices: readonly string[]
  /** The same with their numbers. */
  readonly members: readonly { readonly device: string; readonly deviceNumber?: number }[]
}

/** One entry of the search index. */
export interface SearchEntry {
  /** block, tag, type … */
  readonly kind: string
  readonly name: string
  readonly device?: string
  /** Its place for people: `Program blocks/Motors`. */
  readonly path?: string
  /** Further text to search: comments, source. */
  readonly text?: string
}

/** What a part can use to make its files: it reads, stores what it makes as blobs, and records what a save means. */
export interface SaveContext extends QueryContext {
  readonly blobs: BlobWriter
  readonly emit: CommandContext['emit']
}

/** One plugin's share of a project's content. */
export interface ProjectSection {
  readonly name: string
  /** Parts are loaded and saved in this order: devices 10, types 20, tags 30, blocks 40, design spec 60. */
  readonly order: number
  /** Patterns of its paths (`*` within a segment, `**` over segments): a save removes files of deleted objects. */
  readonly folders: readonly string[]
  /** All files of this part; the same state gives the same files. */
  save(ctx: SaveContext, project: Project): Promise<readonly ProjectFile[]>
  /**
   * Emits the events that load this part's files into the state, and returns warnings about them.
   * Faulty files: throw `faultyFiles(…)`.
   */
  load(
    ctx: CommandContext,
    project: Project,
    files: ProjectFiles,
    progress: SectionProgress,
  ): Promise<readonly string[]>
  /** The devices of the project (only the devices plugin has this). */
  listDevices?(ctx: { read: SliceReader }): readonly OverviewDevice[]
  /** Merged into the device's entry of `GET /api/projects/overview`, e.g. `{ blocks: [{ name, type, language }] }`. */
  overview?(ctx: QueryContext, deviceId: string): Partial<OverviewEntry> | Promise<Partial<OverviewEntry>>
  infrastructure?(ctx: { read: SliceReader }): Infrastructure | Promise<Infrastructure>
  /** The kinds of its search entries. */
  readonly searchKinds?: readonly string[]
  /** Entries for `POST /api/projects/actions/index`. */
  search?(ctx: QueryContext): readonly SearchEntry[] | Promise<readonly SearchEntry[]>
}

/** Parts of a project's content. */
export const projectSection = extensionPoint<ProjectSection>('projects.sections', {
  title: 'Sections of a project',
  description:
    'What a plugin keeps of a project: the files that a save writes and a load reads, and its share of overview, infrastructure and search. Sections run by their order.',
  constant: 'projectSection',
  check: {
    name: 'text',
    order: 'number',
    folders: 'text[]',
    save: 'function',
    load: 'function',
    listDevices: 'function?',
    overview: 'function?',
    infrastructure: 'function?',
    searchKinds: 'text[]?',
    search: 'function?',
  },
  example:
    "{ name: 'notes', order: 70, folders: ['notes/*.txt'], save: async () => [{ path: 'notes/a.txt', content: 'A' }], load: async () => [] }",
  formerly: 'projects.part',
})

/** Reads a folder without a manifest: an export of Openness or of the version control interface. */
export interface FolderImporter {
  readonly name: string
  /** Importers with a higher number run later. Default: 0. */
  readonly order?: number
  /** The files of the folder that it would read; none when the folder is not for it. */
  recognizes(files: ProjectFiles): Promise<readonly string[]> | readonly string[]
  /** The origin of the files (see ExportOrigin); called before they are imported. */
  describe?(files: ProjectFiles): Promise<FilesOrigin>
  /**
   * Emits the events that bring the files into the state.
   * @param options `continueOnError`: faulty files are reported and left out; without it any fault is thrown
   * (`unacceptable_content`)
   */
  import(
    ctx: CommandContext,
    project: Project,
    files: ProjectFiles,
    progress: SectionProgress,
    options: { readonly continueOnError: boolean },
  ): Promise<FolderImport>
}

/** What exported files contain about their project. */
export interface FilesOrigin {
  /** Number of files that come from a version, e.g. `V17`. */
  readonly versions: ReadonlyMap<string, number>
  /** Languages of texts, e.g. `de-DE`; the most frequent one first. */
  readonly cultures: readonly string[]
  /** True when a file contains an object of a program. */
  readonly hasObjects: boolean
}

/** The outcome of a folder's files. */
export interface FolderImport {
  /** Number of files that were imported, whole or in part. */
  readonly imported: number
  readonly files: readonly ImportedFile[]
  readonly warnings: readonly string[]
}

/** The outcome of one file. `ignored`: not a kind of file that is read; `skipped`: contains nothing to import. */
export interface ImportedFile {
  readonly path: string
  readonly status: 'imported' | 'partial' | 'failed' | 'skipped' | 'ignored'
  readonly errors?: readonly Fault[]
  readonly message?: string
}

/** Importers of folders without a manifest. All that recognise a file run, in load order. */
export const folderImporter = extensionPoint<FolderImporter>('projects.folder-importers', {
  title: 'Importers of folders',
  description:
    'Reads a folder without a manifest, e.g. an export of another tool. All importers that recognise a file run, by order and then as they were loaded.',
  constant: 'folderImporter',
  check: {
    name: 'text',
    order: 'number?',
    recognizes: 'function',
    describe: 'function?',
    import: 'function',
  },
  example:
    "{ name: 'notes', recognizes: (files) => files.list('notes/'), import: async () => ({ imported: 0, files: [], warnings: [] }) }",
  formerly: 'projects.folder-importer',
})
