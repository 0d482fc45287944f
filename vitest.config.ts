import { defineConfig } from 'vitest/config';
import { ProjectOrder } from './test/support/projectOrder.ts';
import { slowTests } from './test/support/slowTests.ts';

/** Tests that share one instance of the whole service in each test process. */
const service = ['test/e2e/**/*.test.ts', 'test/sdk/**/*.test.ts', 'test/console/browser/**/*.test.ts'];

/** Tests that need an instance with other settings, restart it, break it, or inspect everything in it. */
const ownService = [
  'test/e2e/{billSources,contentNotStored,coverage,crashRecovery,credentialIdempotency,deadLetterRedrive,deployedBundles}.test.ts',
  'test/e2e/{externalEngines,fullDisk,invalidInput,invitationOutage,notifications,oauthProviderOutage}.test.ts',
  'test/e2e/{oauthStorageOutage,queueIngestion,rateLimits}.test.ts',
  'test/e2e/{schedule,secretsNotStored,signingKeyRotation,storageOutage}.test.ts',
  'test/e2e/{throttleStorm,viewsAgree,webhookDeliveryAfterCrash,webhookEndpoints}.test.ts',
  'test/console/browser/webhookChallenge.test.ts',
  'test/docs/{examplePrograms,quickStart}.test.ts',
  'test/routes.test.ts',
];

/** Tests of the stack, of the runtime for one machine and of the commands. */
const machine = ['test/{bench,infra,local,tools}/**/*.test.ts'];

/** Tests that start processes, or that replace modules or settings of their own process. */
const process = [
  'test/local/{eventSources,restart,runtime,stateMachines}.test.ts',
  'test/local/engines/browserAccess.test.ts',
  'test/local/events/scheduler.test.ts',
  'test/tools/operator/{longRedrive,tenantCommand}.test.ts',
  'test/entries/api/*.test.ts',
  'test/identity/access/principals/secret.test.ts',
  'test/entries/workers/{doubleDelivery,longOutage,poison}.test.ts',
  'test/chargeback/exports/fileStore.test.ts',
  'test/chargeback/reconciliation/sources/aws/assumeRole.test.ts',
  'test/chargeback/reconciliation/sources/credential.test.ts',
  'test/platform/shared/{metrics,settings}.test.ts',
  'test/delivery/webhooks/endpoints/challenge.test.ts',
];

const DATA = ['test/support/runDirectory.ts'];
/** Builds the functions, for the projects that start the service. */
const BUILD = ['test/support/globalSetup.ts'];
const BROWSER = ['test/support/browserSetup.ts'];

/** `vitest run --mode soak` repeats properties and crashes more often, with other values each time. */
const SOAK_RUNS_SCALE = '10';

export default defineConfig(({ mode }) => ({
  test: {
    // For what hangs. Nothing is asserted about time: a machine that others use can stand still for minutes.
    testTimeout: mode === 'soak' ? 3_600_000 : 600_000,
    hookTimeout: 600_000,
    // A poll of the service costs it about 10 ms of CPU.
    expect: { poll: { timeout: 180_000, interval: 100 } },
    // One more than the two cores that the suite is made for: files wait for processes, browsers and queues.
    maxWorkers: 3,
    sequence: { sequencer: ProjectOrder },
    env: {
      // The services of the tests spend memory to save CPU time.
      LOCAL_KEEP_WARM: '1',
      ...(mode === 'soak' && { PROPERTY_RUNS_SCALE: SOAK_RUNS_SCALE }),
    },
    setupFiles: ['test/support/properties.ts'],
    reporters: ['default', './test/support/slowestTests.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'process',
          include: [...process, ...ownService],
          globalSetup: [...DATA, ...BUILD, ...BROWSER],
        },
      },
      {
        extends: true,
        test: {
          name: 'service',
          include: service,
          exclude: ownService,
          isolate: false,
          globalSetup: [...DATA, ...BUILD, ...BROWSER],
        },
      },
      {
        extends: true,
        test: {
          name: 'machine',
          include: machine,
          exclude: process,
          // The CDK is loaded once in each worker, and each template is made once.
          isolate: false,
          globalSetup: DATA,
        },
      },
      {
        extends: true,
        test: {
          name: 'rules',
          include: ['test/**/*.test.ts'],
          exclude: [
            ...service,
            ...ownService,
            ...machine,
            ...process,
            ...(mode === 'quick' ? slowTests() : []),
          ],
          globalSetup: DATA,
          // The files of a worker share the loaded modules and the table engine.
          isolate: false,
          env: {
            // The variables that the stack sets. Operations read them once, when they are loaded.
            BASE_URL: 'https://api.example.com',
            ENVIRONMENT: 'local',
            PUBLIC_CONTRACT: 'true',
          },
        },
      },
    ],
  },
}));
