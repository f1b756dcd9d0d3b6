/** The page on GSD files, served at /api/docs/sections/gsd. */

export const gsdPage = `Devices of any maker come into the hardware catalog by their GSDML file. Put the files (\`GSDML-….xml\`) into the folder \`gsd\`
of the workspace; the setting \`engineering.gsdFolder\` names another one. They are read when they are asked for, so a new file counts at once.

- \`GET /api/catalog/cache/status\` lists the files under \`sources\`, with the number of entries, and why a file cannot be read.
- \`POST /api/catalog/actions/search-sync\` and \`find-sync\` find access points and modules; their order number is a type identifier
  \`GSD:GSDML-….XML/DAP/…\`, \`GSD:GSDML-….XML/M/…\`, of a submodule \`GSD:GSDML-….XML/SM/…\`. A search for the maker's order number finds them too.
- \`POST /api/projects/devices/actions/add-sync\` with the identifier of an access point, or with the order number of the maker, adds the IO
  device, with its fixed modules and the submodules of the access point. When several files or access points have that number, the
  answer (409) names them; a firmware picks the one with that release.
- \`GET /api/devices/compatible-slots\` says where a module of the file fits; \`POST /api/devices/{deviceName}/modules\` plugs it (identifier, or the
  order number of the maker), with the I/O lengths of the file. Data of a type that is not known is as long as the file says; without
  a length it has no addresses, and \`warnings\` say so. A submodule goes into a subslot of a module that takes it; those that the maker plugs or fixes come along
  with their module.

The catalog shows and searches at most 500 files of the folder; a device of a further one can be added by its identifier.
`
