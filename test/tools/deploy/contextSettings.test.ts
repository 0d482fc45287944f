import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createApp } from '../../../lib/app.ts';
import { settingsFromArguments, settingsFromContext } from '../../../tools/deploy/contextSettings.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';

const read = (context: Record<string, unknown>) => settingsFromContext(createApp({ context }).node);

it('reads the settings from CDK context, as text and as JSON', () => {
  expect(read({ environment: 'sandbox', protection: 'true', throttleRate: '20000' })).toMatchObject({
    environment: 'sandbox',
    protected: true,
    throttleRate: 20_000,
  });
});

it('ignores the context of the CDK itself', () => {
  const context = {
    '@aws-cdk/core:newStyle': true,
    'cli-telemetry': false,
    'aws:cdk:bundling-stacks': ['**'],
  };

  expect(read(context).environment).toBe('production');
});

it.each([
  ['Environment', 'sandbox', 'Unknown setting "Environment". Did you mean environment?'],
  ['alarmEmial', 'a@example.org', 'Unknown setting "alarmEmial". Did you mean alarmEmail?'],
  ['enviroment', 'sandbox', 'Unknown setting "enviroment". Did you mean environment?'],
  ['colour', 'blue', 'Unknown setting "colour". Settings: environment,'],
])('fails for the context value %s=%s with a suggestion', (name, value, message) => {
  expect(() => read({ [name]: value })).toThrow(message);
});

it('reads the settings of a command in both notations of the CDK, and else from its file', () => {
  const file = join(temporaryDirectory(), 'cdk.json');
  writeFileSync(file, JSON.stringify({ context: { environment: 'sandbox', throttleRate: 300 } }));
  const args = [
    '-c',
    'alarmEmail=a@example.org',
    '--context=throttleRate=100',
    '--context',
    'throttleRate=200',
  ];

  expect(settingsFromArguments(args, file)).toMatchObject({
    environment: 'sandbox',
    alarmEmail: 'a@example.org',
    throttleRate: 200,
  });
  expect(settingsFromArguments([], file)).toMatchObject({ throttleRate: 300 });
  expect(settingsFromArguments([]).environment).toBe('production');
});
