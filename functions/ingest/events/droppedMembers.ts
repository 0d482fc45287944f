import { INVOCATION_EVENT_FIELDS, type InvocationEvent } from '../../../schemas/ingestion/invocationEvent.ts';
import { confidentialReason } from '../../../schemas/labels/confidentialText.ts';
import type { FieldError } from '../../../schemas/problems.ts';
import { memberAt } from '../formats/values.ts';
import { findContentPaths } from './contentScrubber.ts';

/** Most reasons for one event, so that a batch of 1,000 stays within the Lambda response limit of 6 MB. */
const WARNINGS_MAXIMUM = 10;

const reasonFor = (value: unknown, pointer: string): FieldError[] => {
  const detail = typeof value === 'string' ? confidentialReason(value) : null;
  return detail === null ? [] : [{ pointer, detail }];
};

/** What validation dropped from a valid event. */
export interface DroppedMembers {
  /** Paths of content members and names of labels. */
  readonly scrubbed: string[];
  /** Why each label was dropped. Left out if none was. */
  readonly warnings?: FieldError[];
}

/** Lists the content members and the labels that `event` does not have from what was sent, so that the caller sees them. */
export const findDroppedMembers = (sent: unknown, event: InvocationEvent): DroppedMembers => {
  const content = findContentPaths(sent);
  if (typeof sent !== 'object' || sent === null) return { scrubbed: content };
  const warnings = Object.entries(sent).flatMap(([name, value]) => {
    if (!INVOCATION_EVENT_FIELDS.has(name)) return [];
    const kept = memberAt(event, name);
    if (!Array.isArray(value)) return kept === undefined ? reasonFor(value, `/${name}`) : [];
    if (Array.isArray(kept) && kept.length === value.length) return [];
    return value.flatMap((item, index) => reasonFor(item, `/${name}/${index}`));
  });
  if (warnings.length === 0) return { scrubbed: content };
  const labels = warnings.map(({ pointer = '' }) => pointer.split('/', 2)[1] ?? '');
  return { scrubbed: [...content, ...new Set(labels)], warnings: warnings.slice(0, WARNINGS_MAXIMUM) };
};
