import * as z from 'zod';
import { findContentPaths } from '../ingestion/contentScrubber.ts';
import { memoize } from '../shared/memoize.ts';

const NAME_LENGTH = 64;
/** Longer text is prose, whatever its name. */
const TEXT_LENGTH = 128;
const ITEMS_MAXIMUM = 100;
/** Of one event, in characters of JSON. */
const KEPT_LENGTH = 8 * 1_024;

/** Whether ingestion would take a member of this name for content. */
const isContent = memoize((name) => findContentPaths({ [name]: null }).length > 0);

const Members = z.record(z.string(), z.unknown());

const scrubValue = (value: unknown): unknown => {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'string') return value.length <= TEXT_LENGTH ? value : undefined;
  if (Array.isArray(value)) {
    return value
      .slice(0, ITEMS_MAXIMUM)
      .map(scrubValue)
      .filter((item) => item !== undefined);
  }
  const members = Members.safeParse(value).data ?? {};
  return Object.fromEntries(
    Object.entries(members)
      .filter(([name]) => name.length <= NAME_LENGTH && !isContent(name))
      .map(([name, member]) => [name, scrubValue(member)])
      .filter(([, member]) => member !== undefined),
  );
};

/**
 * What may be kept of the data of an event whose type we do not know: names, numbers and short text, nothing whose name
 * says that a person wrote it or a model answered it. Null where that is too much, or where the data is text itself.
 */
export const scrubData = (data: unknown): unknown => {
  if (typeof data !== 'object' || data === null) return null;
  const value = scrubValue(data);
  return JSON.stringify(value).length <= KEPT_LENGTH ? value : null;
};
