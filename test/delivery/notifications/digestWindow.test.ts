import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  addToWindow,
  DigestWindow,
  emptyWindow,
  INDIVIDUAL_MAXIMUM,
  NAMED_MAXIMUM,
  WINDOW_MS,
  windowStart,
} from '../../../functions/delivery/notifications/digestWindow.ts';

it('sends the first five individually, puts the others into one digest, and counts all of them', () => {
  fc.assert(
    fc.property(fc.nat({ max: 120 }), (count) => {
      const ulids = Array.from({ length: count }, (_, index) => `ulid-${index}`);

      let window: DigestWindow = emptyWindow;
      const sent = ulids.map((ulid) => {
        const next = addToWindow(window, ulid);
        window = DigestWindow.parse(next.window);
        return next.sent;
      });

      expect(window.alone + window.later).toBe(count);
      expect(sent.filter((how) => how === 'alone')).toHaveLength(Math.min(count, INDIVIDUAL_MAXIMUM));
      expect(sent.indexOf('first_of_digest')).toBe(count > INDIVIDUAL_MAXIMUM ? INDIVIDUAL_MAXIMUM : -1);
      expect(sent.filter((how) => how === 'first_of_digest').length).toBeLessThanOrEqual(1);
      expect(window.named).toEqual(ulids.slice(INDIVIDUAL_MAXIMUM, INDIVIDUAL_MAXIMUM + NAMED_MAXIMUM));
    }),
  );
});

it('maps every instant to the aligned window that contains it', () => {
  fc.assert(
    fc.property(fc.nat({ max: 4_102_444_800 }), (instant) => {
      const start = windowStart(instant);
      expect(start).toBeLessThanOrEqual(instant);
      expect(instant).toBeLessThan(start + WINDOW_MS);
      expect(start % WINDOW_MS).toBe(0);
    }),
  );
});
