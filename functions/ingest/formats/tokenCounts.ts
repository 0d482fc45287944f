import { type CountingMarks, type Placement, producerConvention } from './producerConventions.ts';

/** A stated count. Undefined: not stated. */
type Count = number | undefined;

/** The token counts of a call, in the convention of the service: input includes cached tokens, output includes reasoning. */
export interface TokenCounts {
  readonly input: Count;
  readonly output: Count;
  readonly cacheRead?: Count;
  readonly cacheWrite?: Count;
  /** Part of the cache writes that is kept for an hour. */
  readonly hourWrite?: Count;
  readonly reasoning?: Count;
  readonly audioInput?: Count;
  /** Part of the audio that was read from a cache. */
  readonly cachedAudio?: Count;
  readonly imageInput?: Count;
  readonly audioOutput?: Count;
  readonly imageOutput?: Count;
  readonly searches?: Count;
  /** The counts if parts of them are counted beside them. Only if nothing tells whether they are. */
  readonly inputHigh?: Count;
  readonly outputHigh?: Count;
}

/** Counts as a producer states them. */
export interface StatedCounts extends Omit<TokenCounts, 'inputHigh' | 'outputHigh'> {
  /** Input of tools, which Gemini counts beside the prompt. */
  readonly toolInput?: Count;
  /** Cache writes that are kept for five minutes. With those for an hour, they are all. */
  readonly fiveMinuteWrite?: Count;
  /** Totals under all their names. */
  readonly totals?: readonly number[];
}

const INPUT_PARTS = ['cacheRead', 'cacheWrite', 'toolInput', 'audioInput', 'imageInput'] as const;
const OUTPUT_PARTS = ['reasoning', 'audioOutput', 'imageOutput'] as const;
const PARTS = [...INPUT_PARTS, ...OUTPUT_PARTS] as const;
type Part = (typeof PARTS)[number];

/** The parts that are counted beside their whole. */
type Reading = ReadonlySet<Part>;
const ALL_WITHIN: Reading = new Set();

/** Parts of one whole that do not overlap. Their sum cannot exceed it. */
const DISJOINT: readonly (readonly [whole: 'input' | 'output', parts: readonly Part[]])[] = [
  ['input', ['cacheRead', 'cacheWrite']],
  ['input', ['audioInput', 'imageInput']],
  ['output', OUTPUT_PARTS],
];

/** Parts that a producer places alike. */
const GROUPS: readonly (readonly Part[])[] = [
  ['cacheRead', 'cacheWrite'],
  ['toolInput'],
  ['audioInput', 'imageInput'],
  ['reasoning'],
  ['audioOutput', 'imageOutput'],
];

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

/** The counts of the wholes in a reading. */
const wholesIn = (stated: StatedCounts, reading: Reading) => {
  const beside = (parts: readonly Part[]) =>
    sum(parts.map((part) => (reading.has(part) ? (stated[part] ?? 0) : 0)));
  return {
    input: stated.input === undefined ? undefined : stated.input + beside(INPUT_PARTS),
    output: stated.output === undefined ? undefined : stated.output + beside(OUTPUT_PARTS),
  };
};

/** Whether no part exceeds its whole in a reading. */
const isPossible = (stated: StatedCounts, reading: Reading): boolean => {
  const wholes = wholesIn(stated, reading);
  return DISJOINT.every(([whole, parts]) => {
    const count = wholes[whole];
    return count === undefined || sum(parts.map((part) => stated[part] ?? 0)) <= count;
  });
};

/** All readings of the parts that are not 0, those that place the parts of a group alike first. */
const readingsOf = (stated: StatedCounts): readonly (readonly Reading[])[] => {
  const choices = (units: readonly (readonly Part[])[]): Reading[] =>
    Array.from(
      { length: 2 ** units.length },
      (_, bits) => new Set(units.flatMap((unit, index) => ((bits >> index) % 2 === 1 ? unit : []))),
    );
  const present = (part: Part) => (stated[part] ?? 0) > 0;
  const groups = GROUPS.map((group) => group.filter(present)).filter((group) => group.length > 0);
  return [choices(groups), choices(groups.flat().map((part) => [part]))];
};

/** The readings in which input and output add up to a stated total. */
const readingsByTotal = (
  stated: StatedCounts,
  isProof: (reading: Reading) => boolean,
): readonly Reading[] => {
  const totals = new Set(stated.totals);
  if (totals.size === 0 || stated.input === undefined) return [];
  for (const readings of readingsOf(stated)) {
    const fitting = readings.filter((reading) => {
      const { input = 0, output = 0 } = wholesIn(stated, reading);
      return totals.has(input + output) && isPossible(stated, reading) && isProof(reading);
    });
    if (fitting.length > 0) return fitting;
  }
  // A total that leaves cached tokens out, although the input includes them.
  const cached = (stated.cacheRead ?? 0) + (stated.cacheWrite ?? 0);
  const leavesOut = totals.has(stated.input + (stated.output ?? 0) - cached);
  return leavesOut && cached > 0 && isPossible(stated, ALL_WITHIN) ? [ALL_WITHIN] : [];
};

/**
 * The readings that the convention of the producer allows. A part that exceeds its whole is beside it all the same:
 * `breaksConvention`.
 */
const readingsByConvention = (
  stated: StatedCounts,
  { cached, reasoning }: { readonly cached: Placement; readonly reasoning: Placement },
): { readonly readings: readonly Reading[]; readonly breaksConvention: boolean } => {
  const placed: Readonly<Partial<Record<Part, Placement>>> = {
    cacheRead: cached,
    cacheWrite: cached,
    toolInput: 'beside',
    reasoning,
  };
  const [grouped = []] = readingsOf(stated);
  const possible = grouped.filter((reading) => isPossible(stated, reading));
  const isAsPlaced = (reading: Reading, part: Part): boolean => {
    const placement = (stated[part] ?? 0) === 0 ? 'unclear' : (placed[part] ?? 'within');
    return placement === 'unclear' || reading.has(part) === (placement === 'beside');
  };
  const deviations = (reading: Reading): number => PARTS.filter((part) => !isAsPlaced(reading, part)).length;
  const fewest = Math.min(...possible.map(deviations));
  return {
    readings: possible.filter((reading) => deviations(reading) === fewest),
    breaksConvention: fewest > 0,
  };
};

/** How values of accepted calls were changed, for the sender. Never quotes a value. */
type Warnings = Set<string>;

/** The lowest and the highest count of a whole in some readings. */
const rangeOf = (whole: 'input' | 'output', stated: StatedCounts, readings: readonly Reading[]) => {
  const counts = readings.flatMap((reading) => wholesIn(stated, reading)[whole] ?? []);
  return counts.length === 0 ? undefined : { low: Math.min(...counts), high: Math.max(...counts) };
};

const highOf = (range: ReturnType<typeof rangeOf>): Count =>
  range === undefined || range.high === range.low ? undefined : range.high;

/**
 * Tokens of the stated total that no count has in any reading: thoughts, input of tools or cached tokens that a producer leaves
 * out. At most they were generated.
 */
const missingIn = (stated: StatedCounts, readings: readonly Reading[]): number => {
  const { input: read, output: generated, totals = [] } = stated;
  if (totals.length === 0 || read === undefined || generated === undefined) return 0;
  const known = readings.map((reading) => {
    const { input = 0, output = 0 } = wholesIn(stated, reading);
    return input + output;
  });
  return Math.max(0, Math.min(...totals) - Math.max(...known));
};

/** What tells which parts are counted beside their wholes. */
const readingsFor = (stated: StatedCounts, marks: CountingMarks) => {
  if (PARTS.every((part) => (stated[part] ?? 0) === 0)) {
    return { readings: [ALL_WITHIN], breaksConvention: false, isProven: false };
  }
  const convention = producerConvention(marks);
  const proven =
    convention.total === 'nothing'
      ? []
      : readingsByTotal(stated, (reading) => convention.total === 'decides' || reading.size > 0);
  return proven.length > 0
    ? { readings: proven, breaksConvention: false, isProven: true }
    : { ...readingsByConvention(stated, convention), isProven: false };
};

/** All cache writes. LangChain states a total of 0 beside their parts. */
const cacheWriteOf = ({ cacheWrite, hourWrite, fiveMinuteWrite }: StatedCounts): Count =>
  hourWrite === undefined && fiveMinuteWrite === undefined
    ? cacheWrite
    : Math.max(cacheWrite ?? 0, (hourWrite ?? 0) + (fiveMinuteWrite ?? 0));

/**
 * The output of a call that states none is 0 if the total has no tokens besides those that were read and thought: Gemini has no
 * answer to a prompt that it blocked, or if all that it generated were thoughts.
 */
const provenOutput = ({
  input = 0,
  output,
  reasoning = 0,
  toolInput = 0,
  totals = [],
}: StatedCounts): Count =>
  output === undefined && input > 0 && totals.includes(input + toolInput + reasoning) ? 0 : output;

/**
 * The counts in the convention of the service. A stated total decides which parts a producer counts beside its input and
 * output tokens. Where it has none, or only a sum that repeats the counts, the known convention of the producer decides. If
 * that is unclear too, both readings remain: the lower counts, and the highest ones. So do the tokens of a total that no
 * count has.
 */
export const decideCounts = (
  { fiveMinuteWrite, ...sent }: StatedCounts,
  marks: CountingMarks,
  warnings?: Warnings,
): TokenCounts => {
  const stated = {
    ...sent,
    output: provenOutput(sent),
    cacheWrite: cacheWriteOf({ ...sent, fiveMinuteWrite }),
  };
  const { toolInput: _tool, totals: _totals, ...counts } = stated;
  const { readings, breaksConvention, isProven } = readingsFor(stated, marks);
  const [input, output] = [rangeOf('input', stated, readings), rangeOf('output', stated, readings)];
  const beyond = isProven ? 0 : missingIn(stated, readings);
  const missing = beyond > 0 && producerConvention(marks).total === 'nothing' ? 0 : beyond;
  const inputHigh = highOf(input);
  const outputHigh = output === undefined || missing === 0 ? highOf(output) : output.high + missing;
  if (missing > 0) {
    warnings?.add('The total has tokens that no count has. The cost is a range up to their price as output');
  } else if ((inputHigh ?? outputHigh) !== undefined) {
    warnings?.add(
      'Nothing tells whether the counts include cached or reasoning tokens. The cost is a range over both readings',
    );
  } else if (breaksConvention) {
    warnings?.add('Parts of the tokens exceed the whole: it was read as exclusive of them');
  }
  return {
    ...counts,
    input: input?.low,
    output: output?.low,
    ...(inputHigh !== undefined && { inputHigh }),
    ...(outputHigh !== undefined && { outputHigh }),
  };
};
