import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  addToWindow,
  DigestWindow,
  emptyWindow,
  INDIVIDUAL_MAXIMUM,
  NAMED_MAXIMUM,
  Urgency,
  WINDOW_MS,
  windowAt,
  windowEnd,
  windowName,
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
    fc.property(
      fc.constantFrom(...Urgency.options),
      fc.nat({ max: 4_102_444_800_000 }),
      (urgency, instant) => {
        const window = windowAt(urgency, instant);
        expect(window.start).toBeLessThanOrEqual(instant);
        expect(instant).toBeLessThan(windowEnd(window));
        expect(window.start % WINDOW_MS[urgency]).toBe(0);
        expect(windowAt(urgency, windowEnd(window)).start).toBe(windowEnd(window));
      },
    ),
  );
});

it('never names windows of two urgencies alike', () => {
  const [ordinary, critical] = Urgency.options.map((urgency) => windowName(windowAt(urgency, 0)));

  expect(ordinary).not.toBe(critical);
});
