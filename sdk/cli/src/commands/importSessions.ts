import { type InvocationEvent, postInvocationBatch } from '../../../typescript/src/index.ts';
import { eventOf, type LocalCall } from '../agentLogs/localCall.ts';
import {
  type Agent,
  claudeCode,
  codex,
  findSessionFiles,
  gemini,
  qwenCode,
  readSessions,
} from '../agentLogs/sessionFiles.ts';
import type { Call, Command } from '../command.ts';
import { valuesOf } from '../contract.ts';
import { CommandFailed, UsageError } from '../faults.ts';
import type { Column } from '../table.ts';
import { note, progressBar, writeJson } from '../terminal.ts';
import { shown } from '../text.ts';
import { printRows, rowOptions } from './lists.ts';

const BATCH_EVENTS = 500;

type BillingMode = NonNullable<InvocationEvent['billing_mode']>;
const BILLING_MODES = valuesOf<BillingMode>({
  metered: true,
  subscription: true,
  free: true,
  provisioned: true,
});

const billingModeOf = (text: string | undefined): BillingMode | undefined => {
  const mode = BILLING_MODES.find((one) => one === text);
  if (text === undefined || mode !== undefined) return mode;
  throw new UsageError(`--billing-mode must be one of ${BILLING_MODES.join(', ')}: ${text}`);
};

const sinceOf = (text: string | undefined): number => {
  const since = text === undefined ? 0 : Date.parse(text);
  if (!Number.isNaN(since)) return since;
  throw new UsageError(`--since must be an ISO date or time: ${text}`);
};

/** Calls and tokens of a model. */
interface ModelSum {
  readonly model: string;
  readonly calls: number;
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly cache_write_tokens: number;
  readonly output_tokens: number;
}

const COUNTS = ['input_tokens', 'cached_input_tokens', 'cache_write_tokens', 'output_tokens'] as const;

const sumsOf = (calls: readonly LocalCall[]): ModelSum[] =>
  [...new Set(calls.map(({ model }) => model))].toSorted().map((model) => {
    const of = calls.filter((call) => call.model === model);
    const sumOf = (name: (typeof COUNTS)[number]) => of.reduce((sum, { counts }) => sum + counts[name], 0);
    return {
      model,
      calls: of.length,
      input_tokens: sumOf('input_tokens'),
      cached_input_tokens: sumOf('cached_input_tokens'),
      cache_write_tokens: sumOf('cache_write_tokens'),
      output_tokens: sumOf('output_tokens'),
    };
  });

const columns: readonly Column<ModelSum>[] = [
  { title: 'MODEL', value: ({ model }) => model },
  { title: 'CALLS', value: ({ calls }) => calls, isAmount: true },
  { title: 'INPUT TOKENS', value: ({ input_tokens }) => input_tokens, isAmount: true },
  { title: 'OF THEM CACHED', value: ({ cached_input_tokens }) => cached_input_tokens, isAmount: true },
  { title: 'CACHE WRITES', value: ({ cache_write_tokens }) => cache_write_tokens, isAmount: true },
  { title: 'OUTPUT TOKENS', value: ({ output_tokens }) => output_tokens, isAmount: true },
];

/** Sends events in order. Returns the reason of each refused one. */
const sendAll = async (call: Call, events: readonly InvocationEvent[]): Promise<string[]> => {
  const { terminal, client } = call;
  const connected = client();
  const bar = progressBar(terminal, 'Sending');
  const refusals: string[] = [];
  for (let sent = 0; sent < events.length; sent += BATCH_EVENTS) {
    bar.show(sent, events.length);
    const { results } = await postInvocationBatch(
      connected,
      { events: events.slice(sent, sent + BATCH_EVENTS) },
      { signal: terminal.signal },
    );
    for (const result of results)
      if (result.status === 'rejected') refusals.push(result.errors[0]?.detail ?? 'no reason');
  }
  bar.end();
  return refusals;
};

const importOf = (agent: Agent): Command => ({
  name: `import ${agent.name === 'gemini-cli' ? 'gemini' : agent.name}`,
  summary: `Send the calls in the local sessions of ${agent.title}: counts, never content`,
  options: {
    since: { placeholder: 'TIME', help: 'ISO date or time of the first call. Default: all' },
    'dry-run': { help: 'Show the sums by model, and send nothing' },
    dir: {
      placeholder: 'DIR',
      help: `Where the sessions are. Default: where ${agent.title} keeps them`,
      multiple: true,
    },
    owner: { placeholder: 'NAME', help: 'Who pays for the calls' },
    service: { placeholder: 'NAME', help: 'The service that the calls belong to' },
    'billing-mode': {
      placeholder: 'MODE',
      help: 'How the calls are paid, if the sessions do not tell',
      values: BILLING_MODES,
    },
    ...rowOptions,
  },
  run: async (call) => {
    const { terminal, option, options, flag } = call;
    const now = terminal.now();
    const [since, mode] = [sinceOf(option('since')), billingModeOf(option('billing-mode'))];
    const [owner, service] = [option('owner'), option('service')];
    const folders = options('dir').length > 0 ? options('dir') : agent.folders(terminal.env);
    const files = findSessionFiles(folders);
    if (files.length === 0)
      throw new CommandFailed(
        `There are no sessions of ${agent.title} in ${folders.join(', ')}. Name their folder with --dir.`,
      );
    const { calls, repeated, unread } = await readSessions(agent, files, now);
    const wanted = calls
      .filter(({ at, isInProgress }) => at >= since && isInProgress !== true)
      .toSorted((one, other) => one.at - other.at);
    const [inProgress, earlier] = [
      calls.filter(({ isInProgress }) => isInProgress === true).length,
      calls.filter(({ at }) => at < since).length,
    ];
    const models = sumsOf(wanted);
    const stated = {
      ...(owner !== undefined && { attributed_identity: owner }),
      ...(service !== undefined && { attributed_service: service }),
    };
    const isDry = flag('dry-run');
    const events = await Promise.all(
      wanted.map((one) =>
        eventOf(one, agent.name, {
          ...stated,
          ...(mode !== undefined && { billing_mode: one.members.billing_mode ?? mode }),
        }),
      ),
    );
    const refusals = isDry ? [] : await sendAll(call, events);
    if (flag('json')) {
      await writeJson(terminal, {
        agent: agent.name,
        files: files.length,
        unread_files: unread.length,
        calls: wanted.length,
        sent: isDry ? 0 : wanted.length - refusals.length,
        refused: refusals.length,
        repeated_lines: repeated,
        calls_in_progress: inProgress,
        calls_before_since: earlier,
        models,
      });
    } else {
      await printRows(call, columns, models, models);
      note(terminal, `${wanted.length} calls in ${files.length} files. ${repeated} lines repeat a call.`);
      if (inProgress > 0) note(terminal, `${inProgress} calls are in progress. The next import sends them.`);
      if (unread.length > 0)
        note(terminal, `${unread.length} files cannot be read, such as ${shown(unread[0])}.`);
      note(
        terminal,
        isDry
          ? 'Nothing was sent, because of --dry-run.'
          : `Sent ${wanted.length - refusals.length} calls. The service takes each call once, however often it is imported.`,
      );
    }
    if (refusals.length > 0)
      throw new CommandFailed(`${refusals.length} calls were refused. The first one: ${refusals[0]}`);
  },
});

export const importClaudeCode = importOf(claudeCode);
export const importCodex = importOf(codex);
export const importGemini = importOf(gemini);
export const importQwenCode = importOf(qwenCode);
