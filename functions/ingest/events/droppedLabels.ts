import { INVOCATION_EVENT_FIELDS } from '../../../schemas/ingestion/invocationEvent.ts';
import { confidentialReason } from '../../../schemas/labels/confidentialText.ts';
import type { FieldError } from '../../../schemas/problems.ts';
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

/**
 * Lists the content members and the labels that validation drops from a valid event, so that the caller sees what was
 * dropped.
 */
export const findDroppedMembers = (sent: unknown): DroppedMembers => {
  const content = findContentPaths(sent);
  if (typeof sent !== 'object' || sent === null) return { scrubbed: content };
  const warnings = Object.entries(sent).flatMap(([name, value]) => {
    if (!INVOCATION_EVENT_FIELDS.has(name)) return [];
    if (Array.isArray(value)) return value.flatMap((item, index) => reasonFor(item, `/${name}/${index}`));
    return reasonFor(value, `/${name}`);
  });
  if (warnings.length === 0) return { scrubbed: content };
  const labels = warnings.map(({ pointer = '' }) => pointer.split('/', 2)[1] ?? '');
  return { scrubbed: [...content, ...new Set(labels)], warnings: warnings.slice(0, WARNINGS_MAXIMUM) };
};
