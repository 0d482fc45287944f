import { agents } from './agents.ts';
import type { ProducerFixture } from './fixture.ts';
import { frameworks } from './frameworks.ts';
import { gateways } from './gateways.ts';
import { openInferenceSdks } from './openInference.ts';
import { platforms } from './platforms.ts';
import { sdks } from './sdks.ts';
import { tables } from './tables.ts';

export const producerFixtures: readonly ProducerFixture[] = [
  ...openInferenceSdks,
  ...frameworks,
  ...agents,
  ...gateways,
  ...platforms,
  ...sdks,
  ...tables,
];
