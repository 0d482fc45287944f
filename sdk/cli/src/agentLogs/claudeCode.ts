import { isUnique } from '../../../typescript/tracker/eventId.ts';
import { type Counts, countAt, type Json, type LocalCall, objectAt, textAt, timeAt } from './localCall.ts';
import type { SessionReader } from './sessionReader.ts';

/** An answer that nothing was added to for so long is not continued. */
const ANSWER_MS = 10 * 60_000;

/** One line. Claude Code writes one for each content block of an answer, with the counts so far. */
interface Line {
  readonly at: number;
  readonly requestId: string | undefined;
  readonly isSideChain: boolean;
  readonly isFinished: boolean;
  readonly message: Json;
}

interface Answer {
  readonly identity: readonly string[];
  readonly from: number;
  readonly to: number;
  readonly line: Line;
}

/** Claude Code names an answer that it made up itself, such as an error, so. */
const SYNTHETIC = '<synthetic>';

/** The parts of `usage.iterations` that the counts above them leave out: https://platform.claude.com/docs/en/build-with-claude/compaction */
const COMPACTION = 'compaction';
/** Another model was asked. */
const ADVICE = 'advisor_message';
const iterationsOf = (usage: Json): Json[] => {
  const list = usage['iterations'];
  return Array.isArray(list) ? list.map((one) => Object(one)) : [];
};

const tokensOf = (usage: Json): number =>
  ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens', 'output_tokens']
    .map((name) => countAt(usage, name))
    .reduce((sum, count) => sum + count);

const sizeOf = ({ message }: Line): number => tokensOf(objectAt(message, 'usage'));

/** Whether a line knows more than another of the same answer. A side chain repeats what its session read before. */
const isFuller = (line: Line, other: Line): boolean => {
  if (line.isSideChain !== other.isSideChain) return other.isSideChain;
  if (line.isFinished !== other.isFinished) return line.isFinished;
  return sizeOf(line) > sizeOf(other);
};

/** Claude counts cached tokens beside the input. */
const countsOf = (usages: readonly Json[]): Counts => {
  const sumOf = (name: string) => usages.reduce((sum, usage) => sum + countAt(usage, name), 0);
  const [read, written] = [sumOf('cache_read_input_tokens'), sumOf('cache_creation_input_tokens')];
  return {
    input_tokens: sumOf('input_tokens') + read + written,
    cached_input_tokens: read,
    cache_write_tokens: written,
    output_tokens: sumOf('output_tokens'),
  };
};

const SEARCHES = 'web_search_requests';
const CODE = 'code_execution_requests';
/** A fetch of a page has no fee. */
const TOOLS: ReadonlySet<string> = new Set([SEARCHES, CODE, 'web_fetch_requests']);

const providerOf = (responseId: string, model: string): string => {
  if (responseId.startsWith('msg_bdrk_')) return 'aws.bedrock';
  if (responseId.startsWith('msg_vrtx_')) return 'gcp.vertex_ai';
  // Behind a gateway, Claude Code calls models of anyone.
  return model.startsWith('claude') ? 'anthropic' : 'unknown';
};

const memberOf = (name: string, count: number) => (count === 0 ? {} : { [name]: count });

const membersOf = (usage: Json, written: number, isFinished: boolean): LocalCall['members'] => {
  const tools = objectAt(usage, 'server_tool_use');
  const tier = usage['speed'] === 'fast' ? 'fast' : textAt(usage, 'service_tier');
  const area = /^(?:us|eu|global)$/.exec(textAt(usage, 'inference_geo') ?? '')?.[0];
  const advice = iterationsOf(usage).filter(({ type }) => type === ADVICE);
  const unread = [
    ...Object.keys(tools)
      .filter((name) => countAt(tools, name) > 0 && !TOOLS.has(name))
      .map((name) => `${name}=${countAt(tools, name)}`),
    // Its tokens have the price of another model.
    ...(advice.length === 0
      ? []
      : [`${ADVICE}_tokens=${advice.reduce((sum, one) => sum + tokensOf(one), 0)}`]),
    // Without its end, an answer has at least the tokens that were counted.
    ...(isFinished ? [] : ['output_tokens_after_last_line']),
  ];
  return {
    ...memberOf(
      'cache_write_1h_tokens',
      Math.min(countAt(objectAt(usage, 'cache_creation'), 'ephemeral_1h_input_tokens'), written),
    ),
    ...memberOf('web_searches', countAt(tools, SEARCHES)),
    ...memberOf('code_executions', countAt(tools, CODE)),
    ...(tier !== undefined && { service_tier: tier }),
    ...(area !== undefined && { region: area }),
    ...(unread.length > 0 && { unread_usage: unread }),
    ...(!isFinished && { status: 'incomplete' }),
  };
};

/**
 * Reads the sessions of Claude Code. An answer has several lines, a continued session copies those of the one before into its own
 * file, and a side chain repeats those of its session. So an answer counts once, by its id, as its fullest line tells.
 */
export const claudeCodeReader: SessionReader = (now) => {
  const answers = new Map<string, Answer>();
  return {
    isRead: (text) => text.includes('"usage"'),
    take: (entry) => {
      const message = objectAt(entry, 'message');
      const [id, requestId] = [textAt(message, 'id'), textAt(entry, 'requestId')];
      const at = timeAt(entry, 'timestamp');
      if (at === undefined || textAt(message, 'model') === SYNTHETIC) return false;
      const line: Line = {
        at,
        requestId,
        isSideChain: entry['isSidechain'] === true,
        isFinished: textAt(message, 'stop_reason') !== undefined,
        message,
      };
      if (sizeOf(line) === 0) return false;
      // Small servers number their answers, and start again at each restart.
      const identity = isUnique(id)
        ? [id]
        : [textAt(entry, 'sessionId') ?? '', id ?? '', requestId ?? textAt(entry, 'uuid') ?? String(at)];
      const key = JSON.stringify(identity);
      const known = answers.get(key);
      answers.set(key, {
        identity,
        from: Math.min(at, known?.from ?? at),
        to: Math.max(at, known?.to ?? at),
        line: known === undefined || isFuller(line, known.line) ? line : known.line,
      });
      return known !== undefined;
    },
    finish: () =>
      [...answers.values()].map(({ identity, from, to, line }) => {
        const usage = objectAt(line.message, 'usage');
        const [id = '', model = 'unknown'] = [textAt(line.message, 'id'), textAt(line.message, 'model')];
        const counts = countsOf([usage, ...iterationsOf(usage).filter(({ type }) => type === COMPACTION)]);
        return {
          at: from,
          provider: providerOf(id, model),
          model,
          counts,
          members: membersOf(usage, counts.cache_write_tokens, line.isFinished),
          requestId: line.requestId,
          responseId: id,
          identity,
          isInProgress: !line.isFinished && to > now - ANSWER_MS,
        };
      }),
  };
};
