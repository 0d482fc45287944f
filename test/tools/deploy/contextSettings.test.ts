import { expect, it } from 'vitest';
import { createApp } from '../../../lib/app.ts';
import { settingsFromContext } from '../../../tools/deploy/contextSettings.ts';

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
