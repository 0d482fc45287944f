import { type Counts, countAt, type Json, type LocalCall, objectAt, textAt, timeAt } from './localCall.ts';
import type { SessionReader } from './sessionReader.ts';

/** Input includes cached tokens and cache writes, and output includes reasoning. */
const COUNTS = [
  'input_tokens',
  'cached_input_tokens',
  'cache_write_input_tokens',
  'output_tokens',
  'reasoning_output_tokens',
] as const;

const numbersOf = (usage: Json): readonly number[] => COUNTS.map((name) => countAt(usage, name));
const hasCounts = (usage: Json): boolean => numbersOf(usage).some((count) => count > 0);

/** Usage of one answer, with the sums of its thread after it. */
interface Usage {
  readonly at: number;
  readonly model: string | undefined;
  readonly tier: string | undefined;
  readonly responseId: string | undefined;
  readonly counts: readonly number[];
  /** Empty if it states no sums. */
  readonly sums: readonly number[];
}

/** A file: a thread, which can begin with a copy of another one. */
interface Rollout {
  thread?: string;
  parent?: string;
  startedAt?: number;
  provider?: string;
  model?: string;
  tier?: string;
  /** Of the login by ChatGPT. */
  plan?: string;
  lastSums?: string;
  /** Whether usage is recorded by answer. Its sums then repeat it. */
  hasRecords: boolean;
  readonly usages: Usage[];
}

/** A fork copies the usage of its thread when it starts, with the times of the copy. No model answers so soon. */
const COPY_MS = 500;

const keyOf = ({ counts, sums }: Usage): string => JSON.stringify([counts, sums]);

const countsOf = ([input = 0, cached = 0, written = 0, output = 0]: readonly number[]): Counts => ({
  input_tokens: input,
  cached_input_tokens: Math.min(cached, input),
  cache_write_tokens: Math.min(written, input - Math.min(cached, input)),
  output_tokens: output,
});

/** The difference of two sums. Undefined if they did not grow, because then a thread continued elsewhere. */
const grownBy = (sums: readonly number[], before: readonly number[]): readonly number[] | undefined => {
  const grown = sums.map((sum, index) => sum - (before[index] ?? 0));
  return grown.every((count) => count >= 0) ? grown : undefined;
};

/**
 * Reads the sessions of Codex. Newer versions record the usage of each answer. Older ones write the sums of the thread and the
 * last answer, again and again. A fork and a sub-agent begin with the usage of their parent, which is left out: by its numbers
 * if the parent was read, else by its time.
 */
export const codexReader: SessionReader = () => {
  const rollouts = new Map<string, Rollout>();

  const takeMeta = (rollout: Rollout, payload: Json, at: number | undefined): void => {
    // The history that a fork copies has the metadata of its parent. The first ones are its own.
    if (rollout.thread !== undefined) return;
    const spawn = objectAt(objectAt(objectAt(payload, 'source'), 'subagent'), 'thread_spawn');
    const parent =
      textAt(payload, 'forked_from_id') ??
      textAt(payload, 'parent_thread_id') ??
      textAt(spawn, 'parent_thread_id');
    Object.assign(rollout, {
      thread: textAt(payload, 'id'),
      provider: textAt(payload, 'model_provider'),
      startedAt: at ?? timeAt(payload, 'timestamp'),
      ...(parent !== undefined && { parent }),
    });
  };

  /** True if the line repeats what is known. */
  const add = (rollout: Rollout, usage: Omit<Usage, 'model' | 'tier'>): boolean => {
    const repeats = usage.sums.length > 0 && rollout.lastSums === JSON.stringify(usage.sums);
    if (usage.sums.length > 0) rollout.lastSums = JSON.stringify(usage.sums);
    if (!repeats) rollout.usages.push({ ...usage, model: rollout.model, tier: rollout.tier });
    return repeats;
  };

  const takeCount = (rollout: Rollout, payload: Json, at: number): boolean => {
    rollout.plan = textAt(objectAt(payload, 'rate_limits'), 'plan_type') ?? rollout.plan ?? '';
    if (rollout.hasRecords) return false;
    const info = objectAt(payload, 'info');
    const [total, last] = [objectAt(info, 'total_token_usage'), objectAt(info, 'last_token_usage')];
    const sums = hasCounts(total) ? numbersOf(total) : [];
    const before: readonly number[] = JSON.parse(rollout.lastSums ?? '[]');
    const counts = hasCounts(last) ? numbersOf(last) : grownBy(sums, before);
    if (counts === undefined || counts.every((count) => count === 0)) return false;
    return add(rollout, { at, responseId: undefined, counts, sums });
  };

  const takeRecord = (rollout: Rollout, payload: Json, at: number): boolean => {
    const usage = objectAt(payload, 'usage');
    rollout.hasRecords = true;
    if (!hasCounts(usage)) return false;
    const total = objectAt(payload, 'thread_token_usage');
    return add(rollout, {
      at,
      responseId: textAt(payload, 'response_id'),
      counts: numbersOf(usage),
      sums: hasCounts(total) ? numbersOf(total) : [],
    });
  };

  const callOf = (rollout: Rollout, usage: Usage): LocalCall => {
    const [reasoning] = usage.counts.slice(-1);
    return {
      at: usage.at,
      provider: rollout.provider ?? 'openai',
      model: usage.model ?? 'unknown',
      counts: countsOf(usage.counts),
      members: {
        reasoning_tokens: Math.min(reasoning ?? 0, usage.counts[3] ?? 0),
        ...(usage.tier !== undefined && { service_tier: usage.tier }),
        // The limits of a plan come with answers that the plan pays.
        ...((rollout.plan ?? '') !== '' && { billing_mode: 'subscription' }),
      },
      responseId: usage.responseId,
      // Sums only grow, so that no two answers of a thread have equal ones.
      identity: [
        rollout.thread ?? '',
        keyOf(usage),
        usage.sums.length > 0 && rollout.thread !== undefined ? '' : String(usage.at),
      ],
    };
  };

  return {
    isRead: (text) => /"(?:session_meta|turn_context|token_count|token_usage_record)"/.test(text),
    take: (entry, file) => {
      const rollout = rollouts.get(file) ?? { hasRecords: false, usages: [] };
      rollouts.set(file, rollout);
      const [payload, at] = [objectAt(entry, 'payload'), timeAt(entry, 'timestamp')];
      if (entry['type'] === 'session_meta') takeMeta(rollout, payload, at);
      if (entry['type'] === 'turn_context') {
        rollout.model = textAt(payload, 'model') ?? rollout.model ?? 'unknown';
        Object.assign(rollout, { tier: textAt(payload, 'service_tier') });
      }
      if (at === undefined) return false;
      if (entry['type'] === 'token_usage_record') return takeRecord(rollout, payload, at);
      if (entry['type'] !== 'event_msg' || payload['type'] !== 'token_count') return false;
      return takeCount(rollout, payload, at);
    },
    finish: () => {
      const byThread = new Map([...rollouts.values()].map((one) => [one.thread ?? '', one]));
      /** The usage of the threads above, of which a thread can begin with a copy. */
      const above = ({ parent }: Rollout, seen: ReadonlySet<string> = new Set()): string[] => {
        const found = parent === undefined || seen.has(parent) ? undefined : byThread.get(parent);
        if (parent === undefined || found === undefined) return [];
        return [...found.usages.map(keyOf), ...above(found, new Set([...seen, parent]))];
      };
      return [...rollouts.values()].flatMap((rollout) => {
        const { parent, startedAt = 0, usages } = rollout;
        const known = new Set(above(rollout));
        const isCopy = (usage: Usage): boolean =>
          parent !== undefined && (known.has(keyOf(usage)) || usage.at <= startedAt + COPY_MS);
        const own = usages.findIndex((usage) => !isCopy(usage));
        return own < 0 ? [] : usages.slice(own).map((usage) => callOf(rollout, usage));
      });
    },
  };
};
