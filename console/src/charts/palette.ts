/** What tells a texture: the lines are horizontal or vertical, so they differ from the hatch of merged groups. */
export type Texture = 'solid' | 'lines' | 'bars';

export interface Style {
  readonly color: string;
  readonly texture: Texture;
}

/** Colours that stay apart for people with any colour vision. */
const COLORS = 6;
const TEXTURES: readonly Texture[] = ['solid', 'lines', 'bars'];
const SLOTS = COLORS * TEXTURES.length;

/** The style of everything beyond the slots. */
export const REST: Style = { color: 'var(--c-rest)', texture: 'solid' };

/** A name that has a style. Only its digest is kept. */
export interface Assignment {
  readonly digest: string;
  readonly slot: number;
  /** The last day on which it was shown, in days since 1970. */
  readonly seen: number;
}

/** FNV-1a of 32 bits. It distributes names over the slots and keeps them out of the storage of the browser. */
const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  return value;
};

export const digestOf = (text: string): string => hash(text).toString(36);

/** The slots in the order in which a name takes them: its own colour first, and solid colours before textures. */
const preferredSlots = (digest: string): number[] => {
  const first = Number.parseInt(digest, 36) % COLORS;
  return TEXTURES.flatMap((_, texture) =>
    Array.from({ length: COLORS }, (__, step) => texture * COLORS + ((first + step) % COLORS)),
  );
};

/**
 * The assignments after these names were shown, the most important name first. A name keeps its slot. A new one takes a free
 * slot, or that of the name which has not been shown for the longest time. Names beyond the slots get none.
 */
export const assign = (
  earlier: readonly Assignment[],
  digests: readonly string[],
  today: number,
): readonly Assignment[] => {
  const shown = new Set(digests);
  const bySlot = new Map(earlier.map((assignment) => [assignment.slot, assignment]));
  const byDigest = new Map(earlier.map((assignment) => [assignment.digest, assignment]));
  const newest = [...shown].filter((digest) => !byDigest.has(digest));
  for (const digest of shown) {
    const known = byDigest.get(digest);
    if (known !== undefined) bySlot.set(known.slot, { ...known, seen: today });
  }
  for (const digest of newest) {
    const free = preferredSlots(digest).find((slot) => !bySlot.has(slot));
    const [oldest] = [...bySlot.values()]
      .filter((assignment) => !shown.has(assignment.digest))
      .sort((one, other) => one.seen - other.seen || one.slot - other.slot);
    const slot = free ?? oldest?.slot;
    if (slot !== undefined) bySlot.set(slot, { digest, slot, seen: today });
  }
  return [...bySlot.values()];
};

export const styleOfSlot = (slot: number): Style => {
  const texture = TEXTURES[Math.floor(slot / COLORS)];
  return slot >= SLOTS || texture === undefined ? REST : { color: `var(--c${(slot % COLORS) + 1})`, texture };
};

/** The styles of names, the most important name first. */
export type Palette = (names: readonly string[]) => ReadonlyMap<string, Style>;
