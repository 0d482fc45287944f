import type { InvocationEvent } from '../../../../schemas/ingest/invocationEvent.ts';
import type { Right } from '../../../ledger/records/dedup/statementPolicy.ts';
import { filled } from './contradiction.ts';
import { membersOf } from './observationParts.ts';
import { type Statement, TAGS } from './statement.ts';
import { NAMES, type WonParts } from './wonParts.ts';

/** Of an event. */
const TAGS_MAXIMUM = 20;

const lowest = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);

/** The key of a tag such as `team:search`; the tag itself, if it has none. */
const keyOfTag = (tag: string): string => tag.split(':', 1)[0] ?? tag;

/** The tags of a call. Those of one credential are united. Another adds tags with keys that the call does not have. */
const mergeTags = (known: readonly string[], incoming: readonly string[], right: Right): string[] => {
  if (right === 'never' || incoming.length === 0) return [...known];
  if (right === 'if_empty') {
    const keys = new Set(known.map(keyOfTag));
    const added = incoming.filter((tag) => !keys.has(keyOfTag(tag)));
    return [...new Set([...known, ...added])].slice(0, TAGS_MAXIMUM).toSorted();
  }
  const tags = right === 'always' ? incoming : [...known, ...incoming];
  return [...new Set(tags)].toSorted().slice(0, TAGS_MAXIMUM);
};

/** The confidence of the names, as their credentials stated it. */
const mergeConfidence = (
  { known, incoming, isCreator, isOtherHolder }: Statement,
  { won, keepsName }: WonParts,
): number | undefined => {
  const names = NAMES.filter((name) => won.includes(name));
  if (!isCreator && (keepsName || names.length === 0)) return known.attribution_confidence;
  return names.some(isOtherHolder) && !keepsName
    ? incoming.attribution_confidence
    : lowest(known.attribution_confidence, incoming.attribution_confidence);
};

/** The event of a record with the parts that an observation takes. */
export const mergedEvent = (statement: Statement, parts: WonParts): InvocationEvent => {
  const { known, incoming, rightTo } = statement;
  const members = (name: string) =>
    rightTo(name) === 'if_empty'
      ? filled(name, known, incoming)
      : Object.fromEntries(membersOf(name).map((member) => [member, incoming[member]]));
  return {
    ...known,
    ...Object.assign({}, ...parts.won.map(members)),
    tags: mergeTags(known.tags ?? [], incoming.tags ?? [], rightTo(TAGS)),
    attribution_confidence: mergeConfidence(statement, parts),
  };
};
