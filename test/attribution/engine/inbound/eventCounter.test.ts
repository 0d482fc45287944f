import { expect, it } from 'vitest';
import {
  counterOfDeadLetter,
  counterOfOutcome,
} from '../../../../functions/attribution/engine/inbound/eventCounter.ts';

it.each([
  ['recorded', false, undefined],
  ['duplicate', false, 'duplicates'],
  ['duplicate', true, 'duplicates'],
  // The same event twice in one request.
  ['same_arrival', false, 'duplicates'],
  // The queue delivered the message again, for example after a timeout of the worker.
  ['same_arrival', true, undefined],
  ['duplicate_mismatch', true, 'duplicate_mismatches'],
  ['set_aside', false, 'implausible_amounts'],
] as const)(
  'an event with the outcome %s, redelivered: %s, increments %s',
  (outcome, isRedelivered, name) => {
    expect(counterOfOutcome(outcome, isRedelivered)).toBe(name);
  },
);

it.each([
  ['invalid_event', 'set_aside_invalid_event'],
  ['unknown_tenant', undefined],
] as const)('a dead letter with the reason %s increments %s', (reason, name) => {
  expect(counterOfDeadLetter(reason)).toBe(name);
});
