import { useCallback } from 'react';
import { useSession } from '../session/session.ts';
import { type Assignment, assign, digestOf, type Palette, REST, styleOfSlot } from './palette.ts';
import type { Dimension } from './usage.ts';

const DAY_MS = 86_400_000;

const isAssignment = (value: unknown): value is Assignment => {
  const { digest, slot, seen } = Object(value);
  return typeof digest === 'string' && Number.isInteger(slot) && Number.isInteger(seen);
};

/** What this device remembers. A value of another version of the console is dropped. */
const read = (key: string): readonly Assignment[] => {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(found) && found.every(isAssignment) ? found : [];
  } catch {
    return [];
  }
};

const write = (key: string, text: string): void => {
  try {
    localStorage.setItem(key, text);
  } catch {
    // A full or disabled storage costs the memory of colours only.
  }
};

/**
 * The colours of groups by these dimensions. This device remembers them, so a group has the same colour on each page, in each
 * period and after a reload. The storage holds digests that depend on the tenant, never a name.
 */
export const usePalette = (dimensions: readonly Dimension[]): Palette => {
  const { tenant } = useSession();
  const scope = `${tenant.id}\n${dimensions.join()}`;
  return useCallback(
    (names) => {
      const key = `colours.${digestOf(scope)}`;
      const digests = new Map(names.map((name) => [name, digestOf(`${scope}\n${name}`)]));
      const earlier = read(key);
      const now = assign(earlier, [...digests.values()], Math.floor(Date.now() / DAY_MS));
      const text = JSON.stringify(now);
      if (text !== JSON.stringify(earlier)) write(key, text);
      const slots = new Map(now.map(({ digest, slot }) => [digest, slot]));
      return new Map(
        [...digests].map(([name, digest]) => {
          const slot = slots.get(digest);
          return [name, slot === undefined ? REST : styleOfSlot(slot)];
        }),
      );
    },
    [scope],
  );
};
