import packageJson from '../package.json' with { type: 'json' };
import type { Command } from './command.ts';
import { findCommand, helpOf, helpOfAll, parseCall } from './commandLine.ts';
import { annotations, annotationsAdd, annotationsDelete } from './commands/annotations.ts';
import { audit } from './commands/audit.ts';
import { budgets } from './commands/budgets.ts';
import { changes } from './commands/changes.ts';
import { exportFocus } from './commands/export.ts';
import { importClaudeCode, importCodex, importGemini, importQwenCode } from './commands/importSessions.ts';
import { jobs, jobsGet, jobsWait } from './commands/jobs.ts';
import { metrics, metricsDelete, metricsSend } from './commands/metrics.ts';
import { open } from './commands/open.ts';
import { records, recordsConfirm, recordsGet, recordsVersions } from './commands/records.ts';
import { views, viewsDelete, viewsSave } from './commands/savedViews.ts';
import { savings } from './commands/savings.ts';
import { savingsDismiss, savingsRestore } from './commands/savingsDismiss.ts';
import { login, logout, whoami } from './commands/session.ts';
import { unitCosts } from './commands/unitCosts.ts';
import { unowned } from './commands/unowned.ts';
import { unownedMap } from './commands/unownedMap.ts';
import { usage } from './commands/usage.ts';
import { webhooksListen, webhooksTrigger } from './commands/webhooks.ts';
import { completionScript, shells } from './completion.ts';
import { connect } from './connection.ts';
import { describeFault, exitCodeOf, exitCodes, faultDocument, UsageError } from './faults.ts';
import { note, type Terminal } from './terminal.ts';
import { safeJson } from './text.ts';

const completion: Command = {
  name: 'completion',
  summary: 'Print a script that completes commands in a shell',
  argument: { placeholder: 'SHELL', values: shells },
  options: {},
  run: async ({ terminal, argument }) => {
    const shell = shells.find((name) => name === argument);
    if (shell === undefined)
      throw new UsageError(`The shell must be one of ${shells.join(', ')}: ${argument}`);
    terminal.stdout.write(completionScript(shell, commands));
  },
};

const commands: readonly Command[] = [
  login,
  logout,
  whoami,
  records,
  recordsGet,
  recordsVersions,
  recordsConfirm,
  usage,
  changes,
  unitCosts,
  metrics,
  metricsSend,
  metricsDelete,
  annotations,
  annotationsAdd,
  annotationsDelete,
  views,
  viewsSave,
  viewsDelete,
  savings,
  savingsDismiss,
  savingsRestore,
  unowned,
  unownedMap,
  budgets,
  audit,
  jobs,
  jobsGet,
  jobsWait,
  open,
  exportFocus,
  importClaudeCode,
  importCodex,
  importGemini,
  importQwenCode,
  webhooksListen,
  webhooksTrigger,
  completion,
];

const HELP: ReadonlySet<string | undefined> = new Set([undefined, 'help', '--help', '-h']);
const VERSION: ReadonlySet<string | undefined> = new Set(['--version', '-v']);

const execute = async (args: readonly string[], terminal: Terminal): Promise<number> => {
  if (HELP.has(args[0])) {
    terminal.stdout.write(helpOfAll(commands));
    return args[0] === undefined ? exitCodes.usage : exitCodes.success;
  }
  if (VERSION.has(args[0])) {
    terminal.stdout.write(`${packageJson.version}\n`);
    return exitCodes.success;
  }
  const { command, rest } = findCommand(commands, args);
  const call = parseCall(command, rest);
  if (call.flag('help')) terminal.stdout.write(helpOf(command));
  else await command.run({ ...call, terminal, client: () => connect(terminal.env, call.option('base-url')) });
  return exitCodes.success;
};

/** Runs a command and returns the exit code. Faults are printed, with --json as a document on standard error. */
export const run = async (args: readonly string[], terminal: Terminal): Promise<number> => {
  try {
    return await execute(args, terminal);
  } catch (fault) {
    if (terminal.signal.aborted) return exitCodes.interrupted;
    note(terminal, args.includes('--json') ? safeJson(faultDocument(fault)) : describeFault(fault));
    return exitCodeOf(fault);
  }
};
