import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  ALONE_MAXIMUM,
  emptyWindow,
  joined,
  NAMED_MAXIMUM,
  WINDOW,
  Window,
  windowAt,
} from '../../functions/notifications/window.ts';

it('sends the first few by themselves, leaves the rest to one digest, and loses count of none', () => {
  fc.assert(
    fc.property(fc.nat({ max: 120 }), (count) => {
      const ulids = Array.from({ length: count }, (_, index) => `ulid-${index}`);

      let window: Window = emptyWindow;
      const sent = ulids.map((ulid) => {
        const next = joined(window, ulid);
        window = Window.parse(next.window);
        return next.sent;
      });

      expect(window.alone + window.later).toBe(count);
      expect(sent.filter((how) => how === 'alone')).toHaveLength(Math.min(count, ALONE_MAXIMUM));
      expect(sent.indexOf('first_of_digest')).toBe(count > ALONE_MAXIMUM ? ALONE_MAXIMUM : -1);
      expect(sent.filter((how) => how === 'first_of_digest').length).toBeLessThanOrEqual(1);
      expect(window.named).toEqual(ulids.slice(ALONE_MAXIMUM, ALONE_MAXIMUM + NAMED_MAXIMUM));
    }),
  );
});

it('puts every instant into the one window that holds it', () => {
  fc.assert(
    fc.property(fc.nat({ max: 4_102_444_800 }), (instant) => {
      const start = windowAt(instant);
      expect(start).toBeLessThanOrEqual(instant);
      expect(instant).toBeLessThan(start + WINDOW);
      expect(start % WINDOW).toBe(0);
    }),
  );
});
