import * as z from 'zod';
import { confidentialReason } from '../../../../schemas/labels/confidentialText.ts';
import { findContentPaths } from '../../../ingest/events/contentScrubber.ts';
import { memoize } from '../../../platform/shared/caches/memoize.ts';

const NAME_LENGTH = 64;
/** Longer text may be a prompt or model output under any name, so it is dropped. */
const TEXT_LENGTH = 128;
const ITEMS_MAXIMUM = 100;
/** Most characters of JSON kept for one event. */
const KEPT_LENGTH = 8 * 1_024;

/** Whether the ingestion rules classify a member of this name as content. */
const isContent = memoize((name) => findContentPaths({ [name]: null }).length > 0);

const isStorable = (text: string, lengthMaximum: number): boolean =>
  text.length <= lengthMaximum && confidentialReason(text) === null;

const Members = z.record(z.string(), z.unknown());

const scrubValue = (value: unknown): unknown => {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'string') return isStorable(value, TEXT_LENGTH) ? value : undefined;
  if (Array.isArray(value)) {
    return value
      .slice(0, ITEMS_MAXIMUM)
      .map(scrubValue)
      .filter((item) => item !== undefined);
  }
  const members = Members.safeParse(value).data ?? {};
  return Object.fromEntries(
    Object.entries(members)
      .filter(([name]) => isStorable(name, NAME_LENGTH) && !isContent(name))
      .map(([name, member]) => [name, scrubValue(member)])
      .filter(([, member]) => member !== undefined),
  );
};

/**
 * The part of an event's data that may be stored when its type is unknown: names, numbers and short text without secrets,
 * and without members that are named like prompts or model output. Null when it is too large or when the data is not an
 * object.
 */
export const scrubData = (data: unknown): unknown => {
  if (typeof data !== 'object' || data === null) return null;
  const value = scrubValue(data);
  return JSON.stringify(value).length <= KEPT_LENGTH ? value : null;
};
