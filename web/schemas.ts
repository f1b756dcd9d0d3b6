/** Written by scripts/web-types.ts; changes are lost when it is written again. */

export interface components {
  schemas: {
    BlockTreeNode: {
      name: string
      /** A/B. */
      path: string
      isFolder: true
      children?: components['schemas']['BlockTreeNode'][]
    } | {
      name: string
      /** OB, FB, FC, GlobalDB, InstanceDB or ArrayDB. */
      type: string
      isFolder: boolean
      number: number
      /** The number was chosen automatically. */
      autoNumber: boolean
      /** SCL, LAD, FBD, STL, GRAPH, DB … */
      programmingLanguage: string
      /** A/B; empty: directly below the program blocks. */
      folder: string
      /** Bytes of the stored text. */
      size: number
      /** simaticml or source: the form the block is kept in. */
      format: string
      /** Compiled without errors, and neither it nor the interface of anything it uses has changed since. */
      isConsistent: boolean
      /**
       * success, warning or error: result of the last compilation, which still holds; outdated: something has changed
       * since; notCompiled.
       */
      compileStatus: string
      /** The opposite of isConsistent. */
      needsCompilation: boolean
      isKnowHowProtected: boolean
      title: string
      comment: string
      author: string
      family: string
      version: string
      /** Optimized or Standard. */
      memoryLayout?: string
      /** Event class of an OB, e.g. ProgramCycle. */
      secondaryType?: string
      /** FB or type of an instance data block. */
      instanceOf?: string
      createdAt: string
      modifiedDate: string
    }
    CompileMessage: {
      /** `PLC_1/Program blocks/Conveyor/Main`. */
      path: string
      network?: number
      /** In the text of the network, from 1. */
      line?: number
      column?: number
      endLine?: number
      endColumn?: number
      /** Element of a LAD or FBD network. */
      uId?: number
      /** Place in a sequence (GRAPH): `Step 3 "Fill"`. */
      element?: string
      /** Path of the member of the interface. */
      member?: string
      /** Of a place in the hardware configuration. */
      device?: string
      /** Of the module: `4`, `1.3`. */
      slot?: string
      /** The file that the object was imported from; absent after an edit. */
      file?: string
      /** In that file, else in the text of the object (source or XML), from 1. */
      sourceLine?: number
      sourceColumn?: number
      description: string
      /** Of an information: Success. */
      state: 'Success' | 'Warning' | 'Error'
      errorCount: number
      warningCount: number
      severity?: 'error' | 'warning' | 'information'
      /** Explained at /api/diagnostics/codes/{code}. */
      code?: string
      hint?: string
      /** All places of a message that applies to several, including the first. */
      places?: components['schemas']['MessagePlace'][]
      messages: components['schemas']['CompileMessage'][]
    }
    ContentNetwork: {
      number: number
      title?: string
      comment?: string
      language: string
      /** Elements of LAD, FBD and GRAPH. */
      parts?: components['schemas']['NetworkElement'][]
      /** Statements of SCL and STL networks; in the view "text" of all. */
      text?: string
      /**
       * A LAD or FBD network as structured text: `#run := (#start OR #run) AND NOT #stop;`. It can be sent back as
       * `expressions`.
       */
      expression?: string
      graph?: components['schemas']['NetworkGraph']
      /** Of an STL network. */
      statements?: components['schemas']['Statement'][]
      chart?: components['schemas']['SequenceChart']
    }
    Fault: {
      /** JSON pointer into the input, or the place in a file. */
      path?: string
      message: string
      code?: string
      /** From 1. */
      line?: number
      /** From 1. */
      column?: number
      /** What was given. */
      value?: unknown
      /** What would be right. */
      allowed?: unknown
      [name: string]: unknown
    }
    InterfaceMember: {
      section: string
      name: string
      dataType: string
      startValue?: string
      /** Retain or SetInIDB; absent: not retentive. */
      remanence?: string
      comment: string
      /** Members of a structure. */
      members: components['schemas']['InterfaceMember'][]
    }
    JobAccepted: {
      /** Poll it with GET /api/jobs/{jobId}. */
      jobId: string
      status: 'Pending' | 'Running' | 'Completed' | 'Failed' | 'Cancelled'
      /** Of a job that has failed already. */
      error?: components['schemas']['Problem']
      [name: string]: unknown
    }
    KeptXml: {
      attributes?: { [name: string]: string }
      elements?: Array<{
        at: number
        xml: string
      }>
      outer?: components['schemas']['KeptXml']
      inner?: { [name: string]: components['schemas']['KeptXml'] }
    }
    LibraryTreeNode: {
      name: string
      path: string
      isFolder: boolean
      /** Of what is no folder. */
      kind?: string
      /** Of a library type: the kind of its object. */
      type?: string
      /** Of a library type. */
      defaultVersion?: string
      children: components['schemas']['LibraryTreeNode'][]
    }
    MessagePlace: {
      /** `PLC_1/Program blocks/Conveyor/Main`. */
      path: string
      network?: number
      /** In the text of the network, from 1. */
      line?: number
      column?: number
      endLine?: number
      endColumn?: number
      /** Element of a LAD or FBD network. */
      uId?: number
      /** Place in a sequence (GRAPH): `Step 3 "Fill"`. */
      element?: string
      /** Path of the member of the interface. */
      member?: string
      /** Of a place in the hardware configuration. */
      device?: string
      /** Of the module: `4`, `1.3`. */
      slot?: string
      /** The file that the object was imported from; absent after an edit. */
      file?: string
      /** In that file, else in the text of the object (source or XML), from 1. */
      sourceLine?: number
      sourceColumn?: number
    }
    NetworkElement: {
      uId: number
      /** Contact, Coil, TON …, Call, Step, Transition. */
      type: string
      /** The operand, or the instance. */
      signal?: string
      negated: boolean
      /** Whether the signal is a tag or in a data block. */
      isGlobal: boolean
      /** Of a call. */
      blockName?: string
      address?: string
      version?: string
      templates?: { [name: string]: string }
      parameters: Array<{
        name: string
        section?: string
        type?: string
        value?: string
        negated?: boolean
      }>
    }
    NetworkGraph: {
      labels: Array<{
        uId?: number
        name: string
        /** By culture: en-US. */
        comment?: { [name: string]: string }
        kept?: components['schemas']['KeptXml']
      }>
      nodes: components['schemas']['NetworkNode'][]
      wires: components['schemas']['Wire'][]
      kept?: components['schemas']['KeptXml']
    }
    NetworkInstance: {
      uId?: number
      scope: 'GlobalVariable' | 'LocalVariable' | 'Undef' | 'PredefinedVariable'
      path: components['schemas']['PathComponent'][]
      kept?: components['schemas']['KeptXml']
    }
    NetworkNode: {
      kind: 'operand'
      uId: number
      operand: components['schemas']['Operand']
    } | {
      uId: number
      /** Pins that are negated. */
      negated: string[]
      /** Pins that are not shown. */
      invisible: string[]
      /** By culture: en-US. */
      comment?: { [name: string]: string }
      kept?: components['schemas']['KeptXml']
      kind: 'part'
      /** Contact, Coil, TON … */
      name: string
      version?: string
      disabledEno?: boolean
      equation?: string
      instance?: components['schemas']['NetworkInstance']
      templates: components['schemas']['TemplateValue'][]
      automaticTyped: string[]
    } | {
      uId: number
      /** Pins that are negated. */
      negated: string[]
      /** Pins that are not shown. */
      invisible: string[]
      /** By culture: en-US. */
      comment?: { [name: string]: string }
      kept?: components['schemas']['KeptXml']
      kind: 'call'
      /** Of the block. */
      name: string
      blockType: string
      blockNumber?: number
      instance?: components['schemas']['NetworkInstance']
      parameters: Array<{
        name: string
        section?: string
        type?: string
        kept?: components['schemas']['KeptXml']
      }>
    }
    Operand: {
      kind: 'symbol'
      scope: 'GlobalVariable' | 'LocalVariable' | 'Undef' | 'PredefinedVariable'
      path: components['schemas']['PathComponent'][]
      kept?: components['schemas']['KeptXml']
    } | {
      kind: 'literal'
      scope: 'LiteralConstant' | 'TypedConstant' | 'AddressConstant' | 'AlarmConstant'
      value: string
      type?: string
      kept?: components['schemas']['KeptXml']
    } | {
      kind: 'constant'
      scope: 'GlobalConstant' | 'LocalConstant' | 'NamedValueConstant'
      name: string
      kept?: components['schemas']['KeptXml']
    } | {
      kind: 'address'
      /** Input, Output, Memory, DB, Timer … */
      area: string
      type: string
      blockNumber?: number
      /** Byte * 8 + bit; the number of timers, counters and blocks. */
      bitOffset?: number
      kept?: components['schemas']['KeptXml']
    } | {
      kind: 'indirect'
      width: 'Bit' | 'Byte' | 'Word' | 'Double' | 'Long' | 'None'
      area?: string
      register?: 'AR1' | 'AR2'
      bitOffset?: number
      pointer?: components['schemas']['Operand']
      kept?: components['schemas']['KeptXml']
    } | {
      kind: 'label'
      name: string
      kept?: components['schemas']['KeptXml']
    } | {
      kind: 'status'
      name: string
      kept?: components['schemas']['KeptXml']
    } | {
      kind: 'other'
      scope: string
      text: string
      xml: string
    }
    /** The input of an operation; secrets in it are masked. */
    OperationInput: { [name: string]: unknown }
    /** The answer of an operation. */
    OperationResult: unknown
    PathComponent: {
      name: string
      /** One for each dimension of an array element. */
      indices?: components['schemas']['Operand'][]
      /** Part of the operand: x7, b0, w1, d0, dbw4. */
      slice?: string
      access?: 'Periphery' | 'QualityInformation'
      kept?: components['schemas']['KeptXml']
    }
    PermanentOperation: {
      /** By culture: en-US. */
      title: { [name: string]: string }
      /** By culture: en-US. */
      comment: { [name: string]: string }
      language: string
      graph?: components['schemas']['NetworkGraph']
      statements?: components['schemas']['Statement'][]
      text?: string
      kept?: components['schemas']['KeptXml']
    }
    /** RFC 9457 problem details. All codes: GET /api/errors. */
    Problem: {
      /** Address of the page of this code. */
      type: string
      title: string
      status: number
      /** What is wrong, where, and what would be right. */
      detail: string
      /** Stable name of the error. */
      code: string
      /** Path of the request. */
      instance?: string
      jobId?: string
      suggestion?: string
      errors?: components['schemas']['Fault'][]
      [name: string]: unknown
    }
    /** As its type has it; secrets removed. */
    RecordData: unknown
    Sequence: {
      /** By culture: en-US. */
      title: { [name: string]: string }
      /** By culture: en-US. */
      comment: { [name: string]: string }
      steps: components['schemas']['SequenceStep'][]
      transitions: Array<{
        language: string
        graph?: components['schemas']['NetworkGraph']
        /** By culture: en-US. */
        alarmText?: { [name: string]: string }
        kept?: components['schemas']['KeptXml']
        number: number
        name: string
        /** By culture: en-US. */
        comment: { [name: string]: string }
      }>
      branches: Array<{
        number: number
        type: 'SimBegin' | 'SimEnd' | 'AltBegin' | 'AltEnd'
        cardinality: number
        kept?: components['schemas']['KeptXml']
      }>
      connections: Array<{
        from: components['schemas']['SequenceNode']
        to: components['schemas']['SequenceNode']
        link: 'Direct' | 'Jump'
        kept?: components['schemas']['KeptXml']
      }>
      kept?: components['schemas']['KeptXml']
    }
    SequenceChart: {
      before: components['schemas']['PermanentOperation'][]
      sequences: components['schemas']['Sequence'][]
      after: components['schemas']['PermanentOperation'][]
      kept?: components['schemas']['KeptXml']
    }
    SequenceNode: {
      kind: 'step'
      number: number
    } | {
      kind: 'transition'
      number: number
    } | {
      kind: 'branch'
      number: number
      in?: number
      out?: number
    } | {
      kind: 'end'
    }
    SequenceStep: {
      number: number
      name: string
      isInitial: boolean
      /** T#10S. */
      maximumTime?: string
      warningTime?: string
      /** By culture: en-US. */
      comment: { [name: string]: string }
      actions: Array<{
        /** N S R D L CD CR CS CU ON OFF TD TF TL TR; empty for none. */
        qualifier: string
        /** S1 S0 V1 V0 L1 L0 A1 R1; empty for none. */
        event: string
        needsInterlock: boolean
        text: string
        operands: components['schemas']['Operand'][]
        kept?: components['schemas']['KeptXml']
      }>
      supervision?: components['schemas']['StepCondition']
      interlock?: components['schemas']['StepCondition']
      kept?: components['schemas']['KeptXml']
    }
    Statement: {
      label?: string
      /** A, AN(, =, L, CALL; empty for a comment alone. */
      mnemonic: string
      operand?: components['schemas']['Operand']
      call?: {
        target: 'block' | 'instruction' | 'multiInstance'
        name: string
        blockType?: string
        blockNumber?: number
        version?: string
        instance?: components['schemas']['NetworkInstance']
        templates?: components['schemas']['TemplateValue'][]
        parameters: Array<{
          name: string
          value?: components['schemas']['Operand']
          kept?: components['schemas']['KeptXml']
        }>
        kept?: components['schemas']['KeptXml']
      }
      comment?: string
      kept?: components['schemas']['KeptXml']
    }
    StepCondition: {
      language: string
      graph?: components['schemas']['NetworkGraph']
      /** By culture: en-US. */
      alarmText?: { [name: string]: string }
      kept?: components['schemas']['KeptXml']
    }
    TagValue: null | boolean | number | string | unknown[] | { [name: string]: components['schemas']['TagValue'] }
    TemplateValue: {
      name: string
      /** Cardinality, Type, Operation. */
      type: string
      value: string
    }
    ValueCause: {
      /** contact, timer, box, expression, condition … */
      kind: string
      text: string
      value: components['schemas']['TagValue']
      isNegated: boolean
      operands: Array<{
        pin?: string
        text: string
        /** In the whole program. */
        name?: string
        value: components['schemas']['TagValue']
        /** The pin of a box takes the opposite. */
        isNegated?: true
        why?: components['schemas']['ValueExplanation']
      }>
      because: components['schemas']['ValueCause'][]
    }
    ValueExplanation: {
      name: string
      value: components['schemas']['TagValue']
      dataType: string
      /** Why there are no writers. */
      note?: string
      writers: components['schemas']['ValueWriter'][]
    }
    ValueWriter: {
      blockName: string
      /** Whose code runs there. */
      instance?: string
      network: number
      language: string
      uId?: number
      line?: number
      /** What writes. */
      text: string
      condition: components['schemas']['TagValue']
      because: components['schemas']['ValueCause'][]
    }
    Wire: {
      uId: number
      /** The source, then its sinks. */
      ends: components['schemas']['WireEnd'][]
      kept?: components['schemas']['KeptXml']
    }
    WireEnd: {
      kind: 'powerrail'
    } | {
      kind: 'pin'
      uId: number
      pin: string
    } | {
      kind: 'operand'
      uId: number
    } | {
      kind: 'open'
      uId: number
    } | {
      kind: 'openbranch'
    }
    'alarms.list-pending.result': {
      name: string
      alarms: Array<{
        /** Number in the loaded program. */
        id: number
        /** Path of its source: "Line_DB".station[2].jam. */
        alarm: string
        /** Function block that contains the alarm. */
        block?: string
        alarmClass: string
        needsAcknowledgement: boolean
        priority: number
        /** In the wanted language, with the associated values. */
        text: string
        infoText?: string
        additionalTexts?: string[]
        /** incoming: present; acknowledged: present and acknowledged; outgoing: gone, its acknowledgement is missing. */
        state: string
        isPresent: boolean
        isAcknowledged: boolean
        /** Virtual, UTC. */
        incomingAt: string
        outgoingAt?: string
        acknowledgedAt?: string
        /** Associated values at the last change of the signal. */
        values: Array<{
          /** Empty: the parameter was not given. */
          type: string
          value: components['schemas']['TagValue']
        }>
      }>
      /** Alarms that fit, on all pages. */
      total: number
      /** Of all pending alarms. */
      unacknowledged: number
      /** Alarms that may be pending at once on this CPU. */
      maximum: number
      nextCursor?: string
    }
    'assistant.get-settings.result': {
      model: string
      writes: string
      providers: Array<{
        name: string
        kind: string
        baseUrl?: string
        hasKey: boolean
      }>
      mostSteps: number
      silenceSeconds: number
      historyEntries: number
    }
    'assistant.list-approvals.result': {
      approvals: Array<{
        approvalId: string
        turnId: string
        operation: string
        title: string
        input: components['schemas']['OperationInput']
        projectKey?: string
        /** Who talked. */
        actor: string
        askedAt: string
        dryRunJobId?: string
      }>
      total: number
      nextCursor?: string
    }
    'audit.list.result': {
      entries: Array<{
        /** Number of the record in the log. */
        seq: number
        time: string
        /** `job.accepted`, `job.completed`, `query.served`, `call.refused`, or that of a domain event. */
        type: string
        operation?: string
        actor?: string
        jobId?: string
        correlationId?: string
        entity?: string
        data: components['schemas']['RecordData']
        /**
         * `chain`: in the last entry of a commit, its hash and what is hashed, or its place in the chain where the
         * records contain secrets.
         */
        commit?: {
          hash: string
          content: string
        } | {
          hash: string
          first: number
          count: number
          previous: string
          original?: string
        }
      }>
      /**
       * Entries that match, on all pages. Absent when too many records must be read to tell; the next call goes on
       * counting.
       */
      total?: number
      /** There may be more. */
      nextCursor?: string
    } | string
    'audit.sessions.result': {
      sessions: Array<{
        /** Its number: the seq of its first record. */
        session: number
        startedAt: string
        stoppedAt?: string
        state: 'running' | 'stopped' | 'crashed'
        firstSeq: number
        lastSeq: number
        /** Jobs accepted in it. */
        jobs: number
        version: string
        node: string
        plugins: { [name: string]: string }
      }>
      /** Sessions in the log. Absent as with the audit log. */
      total?: number
      nextCursor?: string
    }
    'blocks.compile.result': {
      state: 'Success' | 'Warning' | 'Error'
      errorCount: number
      warningCount: number
      /**
       * A tree, device > area > object > message. Errors stand first. What is true of several places of an object is
       * told once, with all `places`.
       */
      messages: components['schemas']['CompileMessage'][]
      /** Blocks that were compiled anew. */
      compiledBlocks: number
      /** Blocks whose last result still held. */
      unchangedBlocks: number
      /** Of the compiled program; absent when blocks have errors, or only a part was compiled. */
      programHash?: string
      memory?: {
        /** Work memory for code. */
        codeBytes: number
        /** Work memory for data. */
        dataBytes: number
        /** Load memory: code and start values. */
        loadBytes: number
        available?: {
          codeBytes?: number
          dataBytes?: number
          /** Of an S7-1200: for code and data together. */
          workBytes?: number
          loadBytes: number
        }
      }
    }
    'blocks.content.result': {
      name: string
      /** OB, FB, FC, GlobalDB, InstanceDB or ArrayDB. */
      type: string
      isFolder: boolean
      number: number
      /** The number was chosen automatically. */
      autoNumber: boolean
      /** SCL, LAD, FBD, STL, GRAPH, DB … */
      programmingLanguage: string
      /** A/B; empty: directly below the program blocks. */
      folder: string
      /** Bytes of the stored text. */
      size: number
      /** simaticml or source: the form the block is kept in. */
      format: string
      /** Compiled without errors, and neither it nor the interface of anything it uses has changed since. */
      isConsistent: boolean
      /**
       * success, warning or error: result of the last compilation, which still holds; outdated: something has changed
       * since; notCompiled.
       */
      compileStatus: string
      /** The opposite of isConsistent. */
      needsCompilation: boolean
      isKnowHowProtected: boolean
      title: string
      comment: string
      author: string
      family: string
      version: string
      /** Optimized or Standard. */
      memoryLayout?: string
      /** Event class of an OB, e.g. ProgramCycle. */
      secondaryType?: string
      /** FB or type of an instance data block. */
      instanceOf?: string
      createdAt: string
      modifiedDate: string
      /** The same as type. */
      blockType: string
      /** The SimaticML file; converted for blocks that are kept as source. */
      rawXml?: string
      /** External source; absent where there is none (LAD, FBD, GRAPH). */
      sourceText?: string
      /** Not in the view "text". */
      interface?: components['schemas']['InterfaceMember'][]
      /** View "text": the interface as in a source, `VAR_INPUT … END_VAR`; without sourceText. */
      declarations?: string
      /** In the view "text" only where there is no sourceText. */
      networks?: components['schemas']['ContentNetwork'][]
    }
    'blocks.cross-references.result': {
      blockName: string
      sourceCount: number
      /** Locations in all sources. */
      totalReferenceCount: number
      sources: Array<{
        /** The object itself first, then each of its members that is used: DB.motor.speed. */
        name: string
        /** FB 12, PLC data type, Bool, Member … */
        typeName: string
        /** Of tags: %I0.0. */
        address: string
        device: string
        /** Where the project tree has it. */
        path: string
        referenceObjects: Array<{
          name: string
          typeName: string
          address: string
          device: string
          path: string
          locations: Array<{
            /** Network 3, line 5; Interface: Static.motor; Row: "Start". */
            referenceLocation: string
            /** UsedBy: the reference object uses the source. Uses: the source uses it. */
            referenceType: string
            /**
             * Read, Write, ReadWrite, Call, Instance (data of a call, or the block of an instance data block), Type
             * (declared with it).
             */
            access: string
            /** The operand as it is written there. */
            text: string
            network?: number
            /** Of the text of the network. */
            line?: number
            column?: number
            /** Element of a LAD or FBD network. */
            uId?: number
            /** Member of the interface. */
            member?: string
            /** An absolute operand in the memory of the tag or data block. */
            byAddress?: boolean
          }>
        }>
      }>
      /** Objects whose text cannot be read: what they use is not known. */
      unreadable: string[]
    }
    'blocks.import.result': {
      /** Objects created or replaced. */
      imported: number
      created: number
      replaced: number
      /** Objects that were there with the same text. */
      unchanged: number
      /** Files that were read and hold nothing for a PLC program; see files. */
      skipped: number
      /** Files with faults (only with continueOnError). */
      failed: number
      objects: Array<{
        name: string
        /** OB, FB, FC, GlobalDB, InstanceDB, ArrayDB, UDT, TagTable, WatchTable or ForceTable. */
        kind: string
        number?: number
        /** created, replaced or unchanged. */
        action: string
        file: string
      }>
      files: Array<{
        path: string
        /** imported, partial, failed, skipped (nothing for a PLC program) or ignored (not read). */
        status: string
        errors?: components['schemas']['Fault'][]
        /** Why it was skipped. */
        message?: string
      }>
      warnings: string[]
      /** It was asked for, and there are no errors. */
      compiled: boolean
      /** success, warning, error; notCompiled: it was not asked for. */
      compileStatus: string
      /** Of the compiler, without the nodes above them. */
      compileMessages?: components['schemas']['CompileMessage'][]
    }
    'blocks.list.result': {
      blocks: Array<{
        name: string
        /** OB, FB, FC, GlobalDB, InstanceDB or ArrayDB. */
        type: string
        isFolder: boolean
        number: number
        /** The number was chosen automatically. */
        autoNumber: boolean
        /** SCL, LAD, FBD, STL, GRAPH, DB … */
        programmingLanguage: string
        /** A/B; empty: directly below the program blocks. */
        folder: string
        /** Bytes of the stored text. */
        size: number
        /** simaticml or source: the form the block is kept in. */
        format: string
        /** Compiled without errors, and neither it nor the interface of anything it uses has changed since. */
        isConsistent: boolean
        /**
         * success, warning or error: result of the last compilation, which still holds; outdated: something has
         * changed since; notCompiled.
         */
        compileStatus: string
        /** The opposite of isConsistent. */
        needsCompilation: boolean
        isKnowHowProtected: boolean
        title: string
        comment: string
        author: string
        family: string
        version: string
        /** Optimized or Standard. */
        memoryLayout?: string
        /** Event class of an OB, e.g. ProgramCycle. */
        secondaryType?: string
        /** FB or type of an instance data block. */
        instanceOf?: string
        createdAt: string
        modifiedDate: string
      }>
      total: number
      nextCursor?: string
    }
    'blocks.source.result': {
      blockName: string
      language: string
      sourceText: string
      /** What the source leaves out. */
      warnings: string[]
    }
    'blocks.tree.result': {
      name: string
      /** Blocks as in the list, and folders. */
      children: components['schemas']['BlockTreeNode'][]
      /** Blocks in all folders; with `folder`: entries directly in it. */
      total: number
      nextCursor?: string
    }
    'design-spec.generate-and-import.result': {
      phase: string
      blockName: string
      imported: boolean
      compiled: boolean
      /** Of the compiler. */
      errors: Array<{
        path: string
        message: string
        code?: string
        network?: number
        line?: number
        column?: number
        hint?: string
      }>
      /** Of the import and the compiler. */
      warnings: number
      blockNumber?: number
      /** created, replaced or unchanged. */
      action: string
      types: Array<{
        name: string
        /** created, replaced or unchanged. */
        action: string
      }>
      /** The warnings. */
      messages: string[]
      /** success, warning or error. */
      compileStatus: string
    }
    'design-spec.model.result': {
      areas: Array<{
        name: string
        processCells: Array<{
          name: string
          unitTypes: Array<{
            name: string
            cmTypes: Array<{
              name: string
              variables: number
            }>
            phases: Array<{
              name: string
              steps: number
            }>
          }>
        }>
      }>
    }
    'design-spec.phase.result': {
      name: string
      /** Of the function block that is generated of it. */
      blockName: string
      area: string
      processCell: string
      unitType: string
      description: string
      /** ISA88: its block has the states of ISA-88. */
      states?: string
      steps: Array<{
        number: number
        name: string
        isInitial: boolean
        isFinal: boolean
        entryAction: string
        condition: string
        nextStep: number | null
        whileAction?: string
        exitAction?: string
        minTime?: string
        timeout?: string
        onTimeout?: string
        alarmText?: string
        comment?: string
      }>
      parameters: Array<{
        name: string
        dataType: string
        unit?: string
        defaultValue?: string
        min?: string
        max?: string
        description?: string
      }>
      commands: Array<{
        command: string
        action: string
        condition?: string
      }>
    }
    'design-spec.status.result': {
      loaded: boolean
      sourceName?: string
      /** file, parts (loaded in parts), or copy (read from the folder of the project). */
      origin?: string
      loadedAt?: string
      /** Bytes of the spec. */
      size?: number
      counts?: {
        areas: number
        processCells: number
        unitTypes: number
        cmTypes: number
        phases: number
      }
      warnings: Array<{
        /** What is faulty: /file, or the part of a separate load. */
        path: string
        /** Section of the spec; empty: outside every section. */
        section: string
        /** From 1; the line on which the row starts. */
        line: number
        /** Number of the column in its row, from 1. */
        column?: number
        /** The column as the header names it. */
        columnName?: string
        /** Character in an action or condition, from 1. */
        position?: number
        /** What was found. */
        value: string
        message: string
        /** The allowed values, or what is allowed. */
        allowed?: string | string[]
        suggestion?: string
        code: string
      }>
      /** The copy in the folder of the open project. */
      copyPath?: string
      /** What became of reading the copy, when it was read. */
      copy?: {
        file: string
        readAt: string
        loaded: boolean
        failure?: string
        errors: Array<{
          /** What is faulty: /file, or the part of a separate load. */
          path: string
          /** Section of the spec; empty: outside every section. */
          section: string
          /** From 1; the line on which the row starts. */
          line: number
          /** Number of the column in its row, from 1. */
          column?: number
          /** The column as the header names it. */
          columnName?: string
          /** Character in an action or condition, from 1. */
          position?: number
          /** What was found. */
          value: string
          message: string
          /** The allowed values, or what is allowed. */
          allowed?: string | string[]
          suggestion?: string
          code: string
        }>
      }
    }
    'design-spec.verify-phases.result': {
      /** No phase failed and all compile. */
      success: boolean
      /** Every row was checked in every step of every phase. */
      complete: boolean
      sourceName: string
      scans: number
      phases: Array<{
        phase: string
        blockName: string
        /** SHA-256 of its source; absent when it does not compile. */
        blockHash?: string
        /** present or missing; only with `deviceName`. */
        deviceBlock?: string
        /** passed; incomplete: what was checked holds, but not all could be checked; failed; notCompiled. */
        result: string
        scans: number
        /** Steps that were active. */
        coverage: {
          reached: number
          total: number
          percent: number
        }
        rows: Array<{
          /**
           * idle, start, entry-action, wait, transition, final, hold, abort, restart, unknown-step, and what the spec
           * adds (timeout, interlock, states, …); `rule` says what it asks for.
           */
          row: string
          rule: string
          /** passed, failed, incomplete (see `missing`) or notChecked. */
          result: string
          /** Scans that were compared. */
          checks: number
          failed: number
          /** Steps in which it was not checked. */
          missing: Array<{
            step: number
            reason: string
          }>
        }>
        steps: Array<{
          number: number
          name: string
          reached: boolean
        }>
        transitions: Array<{
          from: number
          to: number
          condition: string
          taken: boolean
          /** What was written so that the condition held. */
          inputs: { [name: string]: components['schemas']['TagValue'] }
          /** Those among them that are no In variables. */
          presets: string[]
        }>
        unreachable: Array<{
          number: number
          name: string
          reason: string
        }>
        failures: Array<{
          row: string
          /** Active before the scan; 0: idle. */
          step: number
          scan: number
          message: string
          differences: Array<{
            variable: string
            expected: components['schemas']['TagValue']
            actual: components['schemas']['TagValue']
          }>
          /** The last scans, oldest first; the one that failed stands last. */
          trace: Array<{
            scan: number
            row: string
            /** Before the scan. */
            written: { [name: string]: components['schemas']['TagValue'] }
            /** After it. */
            state: { [name: string]: components['schemas']['TagValue'] }
          }>
        }>
        /** Of the compiler. */
        errors: Array<{
          code: string
          object: string
          message: string
          line?: number
          column?: number
        }>
        /** The limit of scans ended the check. */
        limited: boolean
      }>
    }
    'devices.catalog-search.result': {
      entries: Array<{
        orderNumber: string
        /** The same as orderNumber. */
        articleNumber: string
        typeName: string
        family: string
        /** CPU, HMI, IM, DI, DQ, AI, AQ, CM, CP, Switch … */
        kind: string
        /** PLC, HMI, HeadModule, IO, Drive, Switch … */
        deviceKind: string
        /** With the newest known firmware. */
        typeIdentifier: string
        /** Without blanks. */
        typeIdentifierNormalized: string
        /** Newest known firmware. */
        version?: string
        /** Firmware versions seen in real projects, oldest first; others may exist. */
        firmware: string[]
        /** PROFINET ports; absent: not known. */
        pnPorts?: number
        /** It can be a device of its own; false: a module that is plugged into one. */
        isDevice: boolean
        isFailsafe: boolean
      }>
      /** Entries that were found, on all pages. */
      total: number
      nextCursor?: string
    }
    'devices.list.result': {
      devices: Array<{
        name: string
        id: string
        /** PLC, HMI, IO, Drive, Switch or Other. */
        kind: string
        /** Name of the type, e.g. CPU 1515-2 PN. */
        type: string
        /** The same as type. */
        typeName: string
        family: string
        orderNumber: string
        /** The same as orderNumber. */
        articleNumber: string
        /** Empty: not known. */
        firmware: string
        /** The same as firmware. */
        version: string
        typeIdentifier: string
        /** In the parking lot. */
        unplaced: boolean
        /** Of its first interface that has one. */
        ipAddress?: string
        createdAt: string
      }>
      /** Matching devices, on all pages. */
      total: number
      nextCursor?: string
    }
    'hardware.compatible-slots.result': {
      deviceName: string
      /** Class of the station; absent: it takes no modules. */
      stationType?: string
      module?: {
        orderNumber: string
        typeName: string
        kind: string
      }
      /** Free and fitting, lowest first. */
      slots: Array<{
        rack: number
        slot: number
        subslot?: number
        /** 4, 1.3 in a module, 1/4 in rack 1. */
        position: string
      }>
      /** Without orderNumber: what would fit. */
      modules?: Array<{
        orderNumber: string
        typeName: string
        kind: string
        /** Positions. */
        slots: string[]
      }>
      /** Why there is none. */
      reason?: string
      /** Slots, or without orderNumber modules, on all pages. */
      total: number
      nextCursor?: string
    }
    'hardware.modules.result': {
      modules: Array<{
        name: string
        id: string
        typeName: string
        orderNumber?: string
        typeIdentifier?: string
        firmware?: string
        /** As in the catalog: DI, AQ, PS, CM … */
        kind?: string
        rack: number
        slot: number
        /** Of a board or BusAdapter in a module. */
        subslot?: number
        /** 4, 1.3 for a board in slot 1, 1/4 in rack 1. */
        position: string
        addresses: Array<{
          /** Input or Output. */
          ioType: string
          /** First byte. */
          startAddress: number
          /** Last byte. */
          endAddress: number
          /** Bits. */
          length: number
        }>
        comment?: string
        parameters?: { [name: string]: string | number | boolean }
      }>
      total: number
      nextCursor?: string
    }
    'hardware.plug-module.result': {
      name: string
      id: string
      typeName: string
      orderNumber?: string
      typeIdentifier?: string
      firmware?: string
      /** As in the catalog: DI, AQ, PS, CM … */
      kind?: string
      rack: number
      slot: number
      /** Of a board or BusAdapter in a module. */
      subslot?: number
      /** 4, 1.3 for a board in slot 1, 1/4 in rack 1. */
      position: string
      addresses: Array<{
        /** Input or Output. */
        ioType: string
        /** First byte. */
        startAddress: number
        /** Last byte. */
        endAddress: number
        /** Bits. */
        length: number
      }>
      comment?: string
      parameters?: { [name: string]: string | number | boolean }
      warnings: string[]
    }
    'hardware.subnets.result': {
      subnets: Array<{
        name: string
        id: string
        type: string
        nodes: Array<{
          device: string
          interface: string
          ipAddress?: string
          busAddress?: number
        }>
      }>
      total: number
      nextCursor?: string
    }
    'history.list-block.result': {
      snapshots: Array<{
        snapshotId: string
        /** block or tag-table. */
        type: string
        /** manual or automatic. */
        kind: string
        /**
         * manual; automatic: what then happened to the object (changed, edited: rows of a tag table, renamed, deleted,
         * device-deleted, restored).
         */
        reason: string
        deviceName: string
        /** Name of the block or tag table. */
        name: string
        projectName: string
        projectPath: string
        createdAt: string
        createdBy: string
        jobId: string
        /** What changed the object, or took the snapshot. */
        operation: string
        /** Bytes of the content. */
        size: number
        contentHash: string
        label?: string
        comment?: string
        /** The snapshot before it, when it has the same content. */
        sameContentAs?: string
        blockType?: string
        number?: number
        programmingLanguage?: string
        folder?: string
        /** Of blocks: simaticml or source. */
        format?: string
        tagCount?: number
        constantCount?: number
      }>
      total: number
      nextCursor?: string
    }
    'history.undo.result': {
      success: boolean
      /** The commands that were taken back, or done again, newest first. */
      jobs: Array<{
        jobId: string
        /** Operation id. */
        command: string
        title?: string
        actor: string
        time: string
        group?: string
      }>
      /** Entries of the project that were changed. */
      changed: number
      /** The objects, as in the audit; at most 200. */
      objects: string[]
      /** What stays, and what was left out. */
      warnings: string[]
    }
    'hmi.list-screens.result': {
      screens: Array<{
        name: string
        /** A/B; empty: none. */
        folder: string
        createdAt: string
        modifiedDate: string
        /** Screen, ScreenTemplate, ScreenPopup … */
        screenType: string
        number: number
        /** Pixels. */
        width: number
        /** Pixels. */
        height: number
        backColor: string
        /** Empty: none. */
        template: string
        layers: Array<{
          index: number
          name: string
          visible: boolean
        }>
        objectCount: number
      }>
      total: number
      nextCursor?: string
    }
    'hmi.read-trends.result': {
      series: Array<{
        variable: number
        now: number
        /** [time, value], oldest first. */
        points: Array<number[]>
        /** Why there are none. */
        reason?: string
      }>
    }
    'jobs.execute-batch.result': {
      success: boolean
      count: number
      results: Array<{
        command: string
        result: components['schemas']['OperationResult']
      }>
    }
    'jobs.get.result': {
      jobId: string
      /** Operation id. */
      command: string
      status: 'Pending' | 'Running' | 'Completed' | 'Failed' | 'Cancelled'
      /** It only rises. */
      progress: number
      /** What it does now; absent once it has ended. */
      message?: string
      error?: components['schemas']['Problem']
      createdAt: string
      startedAt?: string
      completedAt?: string
      /** Name of the key, with the client after a slash. */
      actor: string
      correlationId?: string
      durationMs?: number
      dryRun?: boolean
      /** Commands of one group can be taken back together. */
      group?: string
      input?: components['schemas']['OperationInput']
      result?: components['schemas']['OperationResult']
      /** Which of these are there no more: removed by a retention rule, or lost. Absent: none. */
      lost?: Array<'input' | 'result'>
    }
    'jobs.list.result': {
      jobs: Array<{
        jobId: string
        /** Operation id. */
        command: string
        status: 'Pending' | 'Running' | 'Completed' | 'Failed' | 'Cancelled'
        /** It only rises. */
        progress: number
        /** What it does now; absent once it has ended. */
        message?: string
        error?: components['schemas']['Problem']
        createdAt: string
        startedAt?: string
        completedAt?: string
        /** Name of the key, with the client after a slash. */
        actor: string
        correlationId?: string
        durationMs?: number
        dryRun?: boolean
        /** Commands of one group can be taken back together. */
        group?: string
      }>
      /** Jobs that fit. Absent when only reading all of them would tell. */
      total?: number
      /** There may be more. */
      nextCursor?: string
    }
    'language.complete.result': {
      /** Offset of the first character. */
      start: number
      /** Offset behind the last one. */
      end: number
      isIncomplete: boolean
      items: Array<{
        /** What is written. */
        text: string
        /** OB, FB, FC, DB, UDT, Tag, Constant, Member, System, Keyword, Function, Type. */
        kind: string
        /** The declaration in one line. */
        detail?: string
        comment?: string
      }>
    }
    'language.definition.result': {
      definitions: Array<{
        /** Block or type; absent for tags and constants. */
        objectName?: string
        /** The name as it stands at the place asked about. */
        symbol: string
        /** Offset in the source of the object, if it is kept as source. */
        start?: number
        end?: number
      }>
    }
    'language.hover.result': {
      found: boolean
      /** Offset of the first character of the name. */
      start?: number
      /** Offset behind its last one. */
      end?: number
      markdown?: string
    }
    'libraries.tree.result': {
      name: string
      scope: string
      /** Master copies, and Types. */
      children: components['schemas']['LibraryTreeNode'][]
    }
    'online.compare.result': {
      deviceName: string
      /** Name of the virtual controller. */
      instance: string
      /** Its address. */
      ipAddress: string
      /** Objects and folders are equal. */
      identical: boolean
      /** Of all objects. */
      counts: {
        equal: number
        differs: number
        onlyOffline: number
        onlyOnline: number
      }
      program: {
        /** Hash of the compiled program; absent: not compiled, or changed since. */
        offline?: string
        online: string
      }
      source: {
        project: string
        device: string
        compiledAt: string
      }
      objects: Array<{
        category: 'type' | 'tag-table' | 'block' | 'watch-table'
        kind: string
        name: string
        status: 'equal' | 'differs' | 'onlyOffline' | 'onlyOnline'
        differences: string[]
        offline?: {
          kind: string
          /** As it is spelt there. */
          name: string
          hash: string
          number?: number
          folder: string
          modifiedAt: string
        }
        online?: {
          kind: string
          /** As it is spelt there. */
          name: string
          hash: string
          number?: number
          folder: string
          modifiedAt: string
        }
      }>
      folders: Array<{
        category: 'type' | 'tag-table' | 'block' | 'watch-table'
        path: string
        status: 'equal' | 'onlyOffline' | 'onlyOnline'
      }>
    }
    'online.explain-value.result': {
      deviceName: string
      /** Name of the virtual controller. */
      instance: string
      /** Its address. */
      ipAddress: string
      name: string
      value: components['schemas']['TagValue']
      dataType: string
      /** Why there are no writers. */
      note?: string
      writers: components['schemas']['ValueWriter'][]
    }
    'online.network-values.result': {
      deviceName: string
      /** Name of the virtual controller. */
      instance: string
      /** Its address. */
      ipAddress: string
      blockName: string
      network: number
      language: string
      /** Whose data the local names are in. */
      blockInstance?: string
      /** Instances of a function block: its data blocks, then multi-instances, `"Line_DB".pump`. */
      instances: string[]
      pins: Array<{
        /** UId and pin. */
        name: string
        operand?: string
        value: components['schemas']['TagValue']
      }>
      steps: Array<{
        number: number
        name: string
        isActive: boolean
      }>
      operands: Array<{
        /** As it is written. */
        text: string
        /** In the whole program; absent for data that exists only while the block runs. */
        name?: string
        value: components['schemas']['TagValue']
      }>
    }
    'projects.history.result': {
      history: Array<{
        path: string
        name: string
        lastAccess: string
      }>
      total: number
    }
    'projects.list.result': {
      projects: Array<{
        name: string
        /** Folder of the project. */
        path: string
        id: string
        /** Engineering version, V16 to V21. */
        version: string
        author: string
        comment: string
        createdAt: string
        /** When the content was last changed. */
        modifiedAt: string
        /** When the files were last written; absent: never. */
        savedAt?: string
        /** There are changes that are not saved. */
        isModified: boolean
        simulationSupport: boolean
        /** Languages of texts. */
        cultures: string[]
      }>
      total: number
    }
    'projects.search.result': {
      results: Array<{
        kind: string
        name: string
        device?: string
        path?: string
        score: number
      }>
      /** Entries that were found, on all pages. */
      total: number
      nextCursor?: string
      indexedAt: string
      stale: boolean
    }
    'review.diff.result': {
      /** By name. */
      objects: Array<{
        name: string
        /** FB, FC, OB, GlobalDB, UDT, TagTable …; Device and Subnet of hardware. */
        kind: string
        /** `written`: it means the same, and only its notation differs (`16#FF` and 255, `#a` and `a`). */
        change: 'added' | 'removed' | 'changed' | 'written'
        differences: Array<{
          /**
           * code, interface, startValues, comments, properties, tags, constants or rows; of hardware modules or
           * addresses; text: only the notation differs.
           */
          aspect: string
          /** `network 3`, `Static.motor.speed`, the name of a tag. */
          path: string
          change: 'added' | 'removed' | 'changed' | 'moved'
          left?: string
          right?: string
        }>
        /** Differences that are not in `differences`: there are very many. */
        more?: number
        /** Of an object of one side: its source, or its interface as text. */
        text?: string
        /** Networks that differ, side by side. */
        networks?: Array<{
          change: 'added' | 'removed' | 'changed'
          title: string
          left?: {
            number: number
            /** SVG; of GRAPH each sequence. Elements that differ have the class added, removed or changed. */
            pictures?: string[]
            /** Of a text language and of GRAPH. */
            text?: string
          }
          right?: {
            number: number
            /** SVG; of GRAPH each sequence. Elements that differ have the class added, removed or changed. */
            pictures?: string[]
            /** Of a text language and of GRAPH. */
            text?: string
          }
          /** Only wires, labels or comments differ. */
          sameElements?: boolean
        }>
        /** Its controller, when the sides have several. */
        device?: string
        /** Relative to the folder; of the project: where an export would have it. */
        leftFile?: string
        rightFile?: string
      }>
      counts: {
        added: number
        removed: number
        changed: number
        /** Objects that mean the same and are written differently. */
        written: number
        same: number
      }
      /** Objects that differ and are not in the answer, because of `mostObjects`. */
      omitted: number
      /** Files that could not be read: their objects count as absent. */
      unread: Array<{
        side: 'left' | 'right'
        file: string
        line: number
        column: number
        message: string
      }>
      /** The report. */
      text?: string
    }
    'review.job-changes.result': {
      /** Operation id. */
      command: string
      dryRun: boolean
      objects: Array<{
        name: string
        /** FB, FC, OB, GlobalDB, UDT, TagTable …; of other things: device, watch table … */
        kind: string
        /** `written`: it means the same, and only its notation differs (`16#FF` and 255, `#a` and `a`). */
        change: 'added' | 'removed' | 'changed' | 'written'
        differences: Array<{
          /**
           * code, interface, startValues, comments, properties, tags, constants or rows; of hardware modules or
           * addresses; text: only the notation differs.
           */
          aspect: string
          /** `network 3`, `Static.motor.speed`, the name of a tag. */
          path: string
          change: 'added' | 'removed' | 'changed' | 'moved'
          left?: string
          right?: string
        }>
        /** Differences that are not in `differences`: there are very many. */
        more?: number
        /** Of an object of one side: its source, or its interface as text. */
        text?: string
        /** Networks that differ, side by side. */
        networks?: Array<{
          change: 'added' | 'removed' | 'changed'
          title: string
          left?: {
            number: number
            /** SVG; of GRAPH each sequence. Elements that differ have the class added, removed or changed. */
            pictures?: string[]
            /** Of a text language and of GRAPH. */
            text?: string
          }
          right?: {
            number: number
            /** SVG; of GRAPH each sequence. Elements that differ have the class added, removed or changed. */
            pictures?: string[]
            /** Of a text language and of GRAPH. */
            text?: string
          }
          /** Only wires, labels or comments differ. */
          sameElements?: boolean
        }>
        device?: string
      }>
      counts: {
        added: number
        removed: number
        changed: number
        /** Objects that mean the same and are written differently. */
        written: number
      }
      /** Objects that are not in the answer, because of `mostObjects`. */
      omitted: number
    }
    'simulation.get-diagnostics.result': {
      name: string
      entries: Array<{
        number: number
        /** Virtual. */
        time: string
        /** information, warning or error. */
        severity: string
        /** e.g. mode-change, cycle-time-exceeded, array-index, stop-instruction. */
        code: string
        /** As S7 controllers number the event: 16#4302 is STARTUP to RUN. */
        eventId?: string
        message: string
        block?: string
        network?: number
        line?: number
        column?: number
      }>
      /** Entries that fit, on all pages. */
      total: number
      nextCursor?: number
    }
    'simulation.get-forces.result': {
      name: string
      forces: Array<{
        tag: string
        dataType: string
        value: components['schemas']['TagValue']
      }>
      total: number
    }
    'simulation.get-time.result': {
      name: string
      state: string
      /** real or stepped. */
      mode: string
      /** Of real time. */
      factor?: number
      /** Of stepped time: what a cycle takes of it. */
      cycleTimeMs?: number
      /** Virtual, UTC. */
      systemTime: string
      utcOffsetMinutes: number
      /** Since STARTUP. */
      cycles: number
    }
    'simulation.list-instances.result': {
      instances: Array<{
        name: string
        /** Off, Booting, Stop, Startup, Run, Hold, Freeze or ShuttingDown. */
        state: string
        /** The same, by the name that PLCSIM Advanced gives it. */
        operatingState: string
        /** Transitions that are possible now, e.g. powerOn. */
        allowed: string[]
        /** It is the instance that tags are read from and written to. */
        isConnected: boolean
        /** e.g. CPU 1515-2 PN. */
        cpuType: string
        /** Empty: unspecified. */
        orderNumber: string
        firmware: string
        family: string
        network: Array<{
          /** X1, X2 … */
          interface: string
          ipAddress: string
          subnetMask: string
          gateway?: string
        }>
        ipAddresses: string[]
        /** Folder of its memory card. */
        storagePath: string
        /** TCP port on which it alone speaks S7. */
        communicationPort?: number
        createdAt: string
        modifiedAt: string
      }>
      total: number
    }
    'simulation.list-tags.result': {
      instance: string
      tags: Array<{
        name: string
        dataType: string
        /** EPrimitiveDataType of PLCSIM Advanced: Bool, Int16, Float, Struct … */
        primitiveType: string
        /** Input, Output, Marker or DataBlock. */
        area: string
        /** %MW2; tags in optimized blocks have none. */
        address?: string
        /** Bytes. */
        size: number
        comment: string
        retentive: boolean
      }>
      /** Of all pages; absent for a search in more than 500 000 tags. */
      total?: number
      nextCursor?: string
    }
    'simulation.read-tags.result': {
      instance: string
      tags: Array<{
        name: string
        value: components['schemas']['TagValue']
        dataType: string
        /** Good or Bad. */
        quality: string
        /** Virtual system time of the scan boundary. */
        timestamp: string
        /** Why the quality is Bad. */
        error?: string
      }>
      total: number
      bad: number
    }
    'tags.list-all.result': {
      tags: Array<{
        name: string
        dataType: string
        /** %I0.0; empty: none. */
        logicalAddress: string
        comment: string
        externalAccessible: boolean
        externalVisible: boolean
        externalWritable: boolean
        tableName: string
      }>
      total: number
      nextCursor?: string
    }
    'tags.list-tables.result': {
      tagTables: Array<{
        name: string
        isFolder: boolean
        tagCount: number
        /** User constants. */
        constantCount: number
        /** The table a PLC always has. */
        isDefault: boolean
        /** A/B; empty: directly below the PLC tags. */
        folder: string
        createdAt: string
        modifiedDate: string
      }>
      total: number
      nextCursor?: string
    }
    'types.get.result': {
      name: string
      /** UDT. */
      type: string
      isFolder: boolean
      /** Always null: types have no number. */
      number: number | null
      /** A/B; empty: directly below the PLC data types. */
      folder: string
      /** Bytes of the stored text. */
      size: number
      /** simaticml or source: the form the type is kept in. */
      format: string
      /** Compiled without errors, and neither it nor the interface of anything it uses has changed since. */
      isConsistent: boolean
      /**
       * success, warning or error: result of the last compilation, which still holds; outdated: something has changed
       * since; notCompiled.
       */
      compileStatus: string
      title: string
      comment: string
      version: string
      createdAt: string
      modifiedDate: string
      members: components['schemas']['InterfaceMember'][]
      sourceText?: string
      /** The SimaticML file, of types that are kept as SimaticML. */
      rawXml?: string
    }
    'types.list.result': {
      udts: Array<{
        name: string
        /** UDT. */
        type: string
        isFolder: boolean
        /** Always null: types have no number. */
        number: number | null
        /** A/B; empty: directly below the PLC data types. */
        folder: string
        /** Bytes of the stored text. */
        size: number
        /** simaticml or source: the form the type is kept in. */
        format: string
        /** Compiled without errors, and neither it nor the interface of anything it uses has changed since. */
        isConsistent: boolean
        /**
         * success, warning or error: result of the last compilation, which still holds; outdated: something has
         * changed since; notCompiled.
         */
        compileStatus: string
        title: string
        comment: string
        version: string
        createdAt: string
        modifiedDate: string
      }>
      total: number
      nextCursor?: string
    }
    'watch-tables.get.result': {
      name: string
      /** WatchTable or ForceTable. */
      kind: string
      isFolder: boolean
      /** A/B; empty: directly below the watch and force tables. */
      folder: string
      /** Every tag and data block that a row names is there. */
      isConsistent: boolean
      /** Rows, comment rows too. */
      entryCount: number
      createdAt: string
      modifiedDate: string
      entries: Array<{
        /** Counts from 1 over all rows. */
        position: number
        /** The row is a comment only. */
        isComment: boolean
        /** Symbol: "Start", "DB".speed; empty: the row has an address only. */
        name: string
        /** %M0.0; empty: the symbol has none. */
        address: string
        /** Bool, Hex, DEC_signed, Float … Undef: as the data type wants it. */
        displayFormat: string
        /** Permanent, PermanentAtStart, OnceOnlyAtStart … */
        monitorTrigger: string
        /** Of watch tables. */
        modifyTrigger?: string
        /** Of watch tables; empty: none. */
        modifyValue?: string
        /** Of watch tables: the value is to be written. */
        modifyIntention?: boolean
        /** Of force tables; empty: none. */
        forceValue?: string
        /** Of force tables: the operand is to be forced. */
        forceIntention?: boolean
        comment: string
      }>
    }
    'watch-tables.list-force.result': {
      forceTables: Array<{
        name: string
        /** WatchTable or ForceTable. */
        kind: string
        isFolder: boolean
        /** A/B; empty: directly below the watch and force tables. */
        folder: string
        /** Every tag and data block that a row names is there. */
        isConsistent: boolean
        /** Rows, comment rows too. */
        entryCount: number
        createdAt: string
        modifiedDate: string
      }>
      total: number
      nextCursor?: string
    }
    'watch-tables.list.result': {
      watchTables: Array<{
        name: string
        /** WatchTable or ForceTable. */
        kind: string
        isFolder: boolean
        /** A/B; empty: directly below the watch and force tables. */
        folder: string
        /** Every tag and data block that a row names is there. */
        isConsistent: boolean
        /** Rows, comment rows too. */
        entryCount: number
        createdAt: string
        modifiedDate: string
      }>
      total: number
      nextCursor?: string
    }
  }
}
