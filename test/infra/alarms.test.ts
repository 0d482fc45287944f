import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { Reference, resourcesOf, templateOf } from './stack.ts';

const alarms = resourcesOf(
  templateOf({ alarmEmail: 'operator@example.org' }),
  'AWS::CloudWatch::Alarm',
  z.object({
    AlarmDescription: z.string(),
    AlarmActions: z.array(Reference),
    TreatMissingData: z.string(),
  }),
);
const linked = new Set(
  [...alarms.values()].map(
    ({ AlarmDescription }) => /docs\/runbooks\/[a-z-]+\.md$/.exec(AlarmDescription)?.[0],
  ),
);

/** Runbooks for what is done by plan, where no alarm rings. */
const planned = ['docs/runbooks/signing-key-rotation.md'];

it('links every alarm to a runbook, and every runbook to an alarm unless its work is planned', () => {
  expect([...linked, ...planned].sort()).toEqual(globSync('docs/runbooks/*.md').sort());
});

it('tells somebody about every alarm', () => {
  expect(alarms.size).toBeGreaterThan(0);
  for (const [, { AlarmActions }] of alarms) expect(AlarmActions).toHaveLength(1);
});

it('takes silence for health, since these metrics appear only when something happens', () => {
  expect(new Set([...alarms.values()].map(({ TreatMissingData }) => TreatMissingData))).toEqual(
    new Set(['notBreaching']),
  );
});
