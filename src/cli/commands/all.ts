import type { Command, CommandGroup } from '../command.js'
import { aboutCommands } from './about.js'
import { ASK_COMMANDS } from './ask.js'
import { backupCommand, restoreCommand, verifyCommand } from './backup.js'
import { callCommand } from './call.js'
import { CAPTURE_COMMANDS } from './captures.js'
import { CHANGE_COMMANDS } from './changes.js'
import { DOCUMENT_COMMANDS } from './documents.js'
import { exportCommand } from './export.js'
import { HOST_COMMANDS } from './hosts.js'
import { importCommand } from './import.js'
import { ingestCommand } from './ingest.js'
import { LINK_COMMANDS } from './links.js'
import { MAIL_COMMANDS } from './mail.js'
import { mcpCommand } from './mcp.js'
import { OWNER_COMMANDS } from './owners.js'
import { POLICY_COMMANDS } from './policy.js'
import { RECORD_COMMANDS } from './records.js'
import { requestFilesCommand } from './request-files.js'
import { shareCommand } from './share.js'
import { demoCommand, startCommand } from './start.js'
import { doctorCommand, migrateCommand, rotateSecretsCommand } from './store.js'
import { TENANT_COMMANDS } from './tenants.js'
import { WATCH_COMMANDS } from './watches.js'
import { WATERMARK_COMMANDS } from './watermarks.js'

/** All commands of `privity`, by what somebody wants to do. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  { title: 'run', commands: [startCommand, demoCommand, mcpCommand] },
  {
    title: 'memories',
    commands: [...RECORD_COMMANDS, ...CAPTURE_COMMANDS, ...CHANGE_COMMANDS, importCommand, exportCommand],
  },
  {
    title: 'documents',
    commands: [ingestCommand, ...DOCUMENT_COMMANDS, ...ASK_COMMANDS, ...WATCH_COMMANDS],
  },
  { title: 'people, labels and groups', commands: OWNER_COMMANDS },
  {
    title: 'sharing',
    commands: [shareCommand, requestFilesCommand, ...LINK_COMMANDS, ...WATERMARK_COMMANDS, ...MAIL_COMMANDS],
  },
  { title: 'keys, audit and policies', commands: [...HOST_COMMANDS, ...POLICY_COMMANDS] },
  {
    title: 'the store',
    commands: [
      ...TENANT_COMMANDS,
      migrateCommand,
      backupCommand,
      verifyCommand,
      restoreCommand,
      rotateSecretsCommand,
      doctorCommand,
    ],
  },
  { title: 'more', commands: [callCommand, ...aboutCommands(() => COMMAND_GROUPS)] },
]

export const COMMANDS: readonly Command[] = COMMAND_GROUPS.flatMap(({ commands }) => commands)
