import { expect, it } from 'vitest';
import { INFERENCE_EVENT_TYPE } from '../../../../functions/ingest/formats/cloudEvent.ts';
import { parseSignal } from '../../../../functions/insight/coverage/signals/parseSignal.ts';
import { signalWarnings } from '../../../../functions/insight/coverage/signals/signalWarnings.ts';
import { INVOCATION_EVENT_FIELDS } from '../../../../schemas/ingest/invocationEvent.ts';

const warningsOf = (data: object) => {
  const sent = { specversion: '1.0', id: '1', source: '/gateway', type: INFERENCE_EVENT_TYPE, data };
  const { signal } = parseSignal(sent, 'acme', 0);
  return signal === null ? null : signalWarnings(sent, signal);
};

// A name of two letters has no misspelling that is nearer to it than to others.
it.each([...INVOCATION_EVENT_FIELDS].filter(({ length }) => length > 5))(
  'names %s where it is misspelt in the data of a call',
  (name) => {
    const misspelt = `${name.slice(0, 3)}${name.slice(4)}`;

    expect(warningsOf({ [misspelt]: 1 })).toEqual([
      { pointer: `/data/${misspelt}`, detail: 'No event has this member. It was dropped', suggestion: name },
    ]);
  },
);

it('says nothing of members that belong to the producer', () => {
  expect(
    warningsOf({ provider: 'openai', deployment_colour: 'blue', cost_breakdown: { inputt: 1 } }),
  ).toEqual([]);
});
