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
const linkedRunbooks = new Set(
  [...alarms.values()].map(
    ({ AlarmDescription }) => /docs\/runbooks\/[a-z-]+\.md$/.exec(AlarmDescription)?.[0],
  ),
);

/** Runbooks for planned work. No alarm links to them. */
const plannedRunbooks = ['deployment-failed', 'quotas', 'signing-key-rotation', 'tear-down'].map(
  (name) => `docs/runbooks/${name}.md`,
);

it('links every alarm to a runbook, and every runbook for unplanned work to an alarm', () => {
  expect([...linkedRunbooks, ...plannedRunbooks].sort()).toEqual(globSync('docs/runbooks/*.md').sort());
});

it('sends every alarm to one notification target', () => {
  expect(alarms.size).toBeGreaterThan(0);
  for (const [, { AlarmActions }] of alarms) expect(AlarmActions).toHaveLength(1);
});

it('treats missing data as not breaching, because these metrics are published only on events', () => {
  expect(new Set([...alarms.values()].map(({ TreatMissingData }) => TreatMissingData))).toEqual(
    new Set(['notBreaching']),
  );
});
