import { agents } from './agents.ts';
import { aiSdk } from './aiSdk.ts';
import type { ProducerFixture } from './fixture.ts';
import { frameworks } from './frameworks.ts';
import { gateways } from './gateways.ts';
import { instrumentations } from './instrumentations.ts';
import { observability } from './observability.ts';
import { openInferenceSdks } from './openInference.ts';
import { platforms } from './platforms.ts';
import { sdks } from './sdks.ts';
import { tables } from './tables.ts';
import { tracers } from './tracers.ts';

export const producerFixtures: readonly ProducerFixture[] = [
  ...openInferenceSdks,
  ...instrumentations,
  ...frameworks,
  ...aiSdk,
  ...observability,
  ...agents,
  ...gateways,
  ...platforms,
  ...sdks,
  ...tracers,
  ...tables,
];
