import type { FieldError } from '../../../schemas/fieldError.ts';
import { INVOCATION_EVENT_FIELDS, type InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { confidentialReason } from '../../../schemas/labels/confidentialText.ts';
import { memberAt } from '../../platform/shared/memberAt.ts';
import { findContentPaths } from './contentScrubber.ts';
import { misspeltMembers } from './misspeltMembers.ts';

/** Most reasons for one event, so that a batch of 1,000 stays within the Lambda response limit of 6 MB. */
const WARNINGS_MAXIMUM = 10;

const reasonFor = (value: unknown, pointer: string): FieldError[] => {
  const detail = typeof value === 'string' ? confidentialReason(value) : null;
  return detail === null ? [] : [{ pointer, detail }];
};

const memberOf = ({ pointer = '' }: FieldError): string => pointer.split('/', 2)[1] ?? '';

/** What ingestion dropped from a valid event. */
export interface DroppedMembers {
  /** Paths of content members and names of optional members. */
  readonly scrubbed: string[];
  /** Why each optional member was dropped or corrected. Left out if none was. */
  readonly warnings?: FieldError[];
}

/**
 * Lists the content members, the labels and the misspelt members that `event` does not have from what was sent, so that the
 * caller sees them.
 * `repairs`: why members were dropped or corrected for their form.
 */
export const findDroppedMembers = (
  sent: unknown,
  event: InvocationEvent,
  repairs: readonly FieldError[],
): DroppedMembers => {
  const content = findContentPaths(sent);
  if (typeof sent !== 'object' || sent === null) return { scrubbed: content };
  const repaired = new Set(repairs.map(memberOf));
  const confidential = Object.entries(sent).flatMap(([name, value]) => {
    // A value that was dropped for its form can be of any length.
    if (!INVOCATION_EVENT_FIELDS.has(name) || (repaired.has(name) && !Array.isArray(value))) return [];
    const kept = memberAt(event, name);
    if (!Array.isArray(value)) return kept === undefined ? reasonFor(value, `/${name}`) : [];
    if (Array.isArray(kept) && kept.length === value.length) return [];
    return value.flatMap((item, index) => reasonFor(item, `/${name}/${index}`));
  });
  const warnings = [...repairs, ...confidential, ...misspeltMembers(sent)];
  if (warnings.length === 0) return { scrubbed: content };
  const lost = [...repaired].filter((name) => memberAt(event, name) === undefined);
  const members = new Set([...lost, ...confidential.map(memberOf)]);
  return { scrubbed: [...content, ...members], warnings: warnings.slice(0, WARNINGS_MAXIMUM) };
};
