import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { expectNoFaults, unequal } from '../support/faults.ts';
import { idIn, labelsOf, resourcesOf, templateOf } from './stack.ts';

const template = templateOf({
  alarmEmail: 'operator@example.org',
  notificationSender: 'alerts@example.org',
  producerPrincipals: '123456789012',
});
const alarms = resourcesOf(
  template,
  'AWS::CloudWatch::Alarm',
  z.object({
    AlarmDescription: z.string(),
    AlarmActions: z.array(z.unknown().transform(idIn(template))),
    TreatMissingData: z.string(),
    Threshold: z.number(),
  }),
);
const descriptions = [...alarms.values()].map(({ AlarmDescription }) => AlarmDescription);
const linkedRunbooks = new Set(
  descriptions.map((description) => /docs\/runbooks\/[a-z-]+\.md$/.exec(description)?.[0]),
);
const runbooks = globSync('docs/runbooks/*.md').sort();

/** Runbooks for planned work and for events that no metric shows. No alarm links to them. */
const plannedRunbooks = [
  'deployment-failed',
  'erasure',
  'full-queue',
  'key-loss',
  'region-loss',
  'restore',
  'signing-key-rotation',
  'tear-down',
  'user-administration',
].map((name) => `docs/runbooks/${name}.md`);

it('links every alarm to a runbook, and every runbook for unplanned work to an alarm', () => {
  expect([...linkedRunbooks, ...plannedRunbooks].sort()).toEqual(runbooks);
});

it('sends every alarm to the topic of its severity', () => {
  const topicOf = (severity: string) => idIn(template)(template.Outputs[`${severity}Topic`]?.Value);
  const topics = { page: topicOf('Page'), ticket: topicOf('Ticket') };

  for (const { AlarmDescription, AlarmActions } of alarms.values()) {
    const severity = AlarmDescription.startsWith('[page]') ? 'page' : 'ticket';
    expect(AlarmDescription).toMatch(/^\[(?:page|ticket)\] /);
    expect(AlarmActions).toEqual([topics[severity]]);
  }
});

it('wakes somebody only when events are refused, late or not recorded', () => {
  const pages = [...alarms].filter(([, { AlarmDescription }]) => AlarmDescription.startsWith('[page]'));

  expect(pages.map(([id]) => id.replace(/^Alarms|[0-9A-F]{8}$/g, '')).sort()).toEqual([
    'AcceptanceFastBurn',
    'AcceptedBacklog',
    'IngestionBacklog',
    'RecordingFastBurn',
    'RecordsStopped',
    'Unreachable',
  ]);
});

it('treats missing data as not breaching, except for the schedule and the heartbeat, which must always run', () => {
  const breaching = [...alarms].filter(([, { TreatMissingData }]) => TreatMissingData !== 'notBreaching');

  expect(breaching.map(([id]) => id)).toEqual([
    expect.stringContaining('ScheduleMissed'),
    expect.stringContaining('Unreachable'),
  ]);
});

it.each([
  ['AcceptanceFastBurn', 1.44],
  ['AcceptanceSlowBurn', 0.3],
  ['RecordingFastBurn', 14.4],
  ['NotifyingFastBurn', 72],
])('fires %s when the error budget burns too fast, at %d %% of bad events', (name, threshold) => {
  const found = [...alarms].find(([id]) => id.startsWith(`Alarms${name}`));

  expect(found?.[1].Threshold).toBe(threshold);
});

const files = (text: string): string[] =>
  [...text.matchAll(/`((?:lib|schemas|functions|tools|local|bin)\/[\w./-]+\.\w+)`/g)].map(
    ([, path = '']) => path,
  );
const scripts = (text: string): string[] =>
  [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
const outputs = (text: string): string[] =>
  [...text.matchAll(/output ((?:Table|Queue|Bucket|StateMachine|Key)[A-Z]\w+)/g)].map(
    ([, name = '']) => name,
  );
const constants = (text: string): { name: string; path: string }[] =>
  [...text.matchAll(/`([A-Z][A-Z_]{3,})` in `([\w./-]+\.ts)`/g)].map(([, name = '', path = '']) => ({
    name,
    path,
  }));
const { scripts: known } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));

it('names in the runbooks only files, constants, commands and outputs that exist', async () => {
  const labels = new Set(labelsOf(template).values());
  await expectNoFaults(runbooks, String, (runbook) => {
    const text = readFileSync(runbook, 'utf8');
    return [
      ...files(text).filter((path) => !existsSync(path)),
      ...constants(text).flatMap(({ name, path }) =>
        readFileSync(path, 'utf8').includes(name) ? [] : [`${name} in ${path}`],
      ),
      ...scripts(text).filter((name) => !(name in known)),
      ...outputs(text).filter((name) => !labels.has(name) && !(name in template.Outputs)),
    ];
  });
});

it('writes every runbook in the five parts of a runbook', async () => {
  await expectNoFaults(runbooks, String, (runbook) => {
    const headings = [...readFileSync(runbook, 'utf8').matchAll(/^## (.*)$/gm)].map(([, title]) => title);
    return unequal('headings', headings, ['Symptom', 'Impact', 'Check', 'Fix', 'Prevent']);
  });
});
