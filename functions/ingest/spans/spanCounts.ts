import type { UnreadCount } from '../../impact/usage/unreadUsage.ts';
import type { StatedCounts } from '../formats/tokenCounts.ts';
import { chargedSearches } from '../formats/vertex.ts';
import { nameUse } from './attributeKinds.ts';
import { countOf, countsUnder, textOf } from './attributes.ts';
import { inputOf, outputOf } from './spanKind.ts';
import type { Attributes } from './telemetry.ts';

/** How many tools xAI ran, whatever they were. */
const TOOLS = /tools_used$/;
const TOOL_COUNTS = ['searches', 'postSearches', 'fileSearches', 'codeExecutions'] as const;

/** Counts above 0 that no mapping reads. They can set a price. */
export const unreadUsage = (attributes: Attributes): readonly UnreadCount[] => {
  const tools = TOOL_COUNTS.reduce((sum, tool) => sum + (countOf(tool, attributes) ?? 0), 0);
  return [...attributes].flatMap(([name, value]) => {
    const count = typeof value === 'number' ? value - (TOOLS.test(name) ? tools : 0) : 0;
    return count > 0 && nameUse(name).isUnreadUsage ? [{ name, count }] : [];
  });
};

const sumOf = (count: number | undefined, more: number | undefined): number | undefined =>
  count === undefined ? undefined : count + (more ?? 0);

const searchesOf = (attributes: Attributes): number | undefined => {
  const [web, posts] = [countOf('searches', attributes), countOf('postSearches', attributes)];
  const model = textOf('servedModel', attributes) ?? textOf('requestedModel', attributes);
  return web === undefined ? posts : sumOf(chargedSearches(model, web), posts);
};

/** Tokens that were read from a cache. Some state only how many of them are of a medium. */
const cacheReadOf = (attributes: Attributes): number | undefined => {
  const read = countOf('cacheRead', attributes);
  const text = countOf('cachedText', attributes);
  return read !== undefined && read > 0 ? read : (sumOf(text, countOf('cachedAudio', attributes)) ?? read);
};

/** Counts under the names of the conventions and of SDKs. */
export const statedCounts = (attributes: Attributes): StatedCounts => ({
  input: sumOf(inputOf(attributes), countOf('compactionInput', attributes)),
  output: sumOf(outputOf(attributes), countOf('compactionOutput', attributes)),
  cacheRead: sumOf(cacheReadOf(attributes), countOf('compactionRead', attributes)),
  cacheWrite: sumOf(countOf('cacheWrite', attributes), countOf('compactionWrite', attributes)),
  hourWrite: sumOf(countOf('hourWrite', attributes), countOf('compactionHourWrite', attributes)),
  fiveMinuteWrite: countOf('fiveMinuteWrite', attributes),
  toolInput: countOf('toolInput', attributes),
  reasoning: countOf('reasoning', attributes),
  audioInput: countOf('audioInput', attributes),
  cachedAudio: countOf('cachedAudio', attributes),
  imageInput: countOf('imageInput', attributes),
  audioOutput: countOf('audioOutput', attributes),
  imageOutput: countOf('imageOutput', attributes),
  searches: searchesOf(attributes),
  totals: countsUnder('totalTokens', attributes),
});

/** Counts of agents, whose spans and log events have the same names. */
export const agentCounts = (attributes: Attributes): StatedCounts => ({
  input: countOf('agentInput', attributes),
  output: countOf('agentOutput', attributes),
  cacheRead: countOf('agentCacheRead', attributes),
  cacheWrite: countOf('agentCacheWrite', attributes),
  reasoning: countOf('agentReasoning', attributes),
  totals: countsUnder('agentTotal', attributes),
});
