import { registerUser } from '../../local/engines/oidc/oidcUsers.ts';
import { prepareTenant } from '../../tools/start/demo.ts';
import { type Instance, startInstance } from './instance.ts';
import { administrationOf, UNLIMITED } from './localService.ts';
import { checkPermissions } from './permissions.ts';

let started: Promise<Instance> | undefined;
let files = 0;

/**
 * The instance that the files of a test process share, because its start takes longer than most of their tests. Each
 * call adds two tenants with credentials of their own, so that files do not see each other's data. `stop` waits until
 * the work of the file is done. Delayed messages are those of totals and jobs. Other files leave deliveries to receivers that
 * do not answer, which are repeated for minutes.
 */
export const sharedInstance = async (): Promise<Instance> => {
  // Its engines end by themselves when this process ends.
  started ??= startInstance({ environment: UNLIMITED });
  const instance = await started;
  const { QueueRollups = '', QueueJobs = '' } = instance.runtime.outputs;
  const administration = await administrationOf(instance);
  files += 1;
  const tenants = await Promise.all(
    ['acme', 'globex'].map((name) => prepareTenant(administration, { tenantId: `${name}-${files}`, name })),
  );
  await Promise.all(tenants.map(({ user }) => registerUser(instance.dataDir, user)));
  return {
    ...instance,
    runtime: {
      ...instance.runtime,
      idle: ({ delayed = false, ...limits } = {}) =>
        instance.runtime.idle({ ...limits, delayed: delayed === true ? [QueueRollups, QueueJobs] : delayed }),
    },
    credentials: { ...instance.credentials, tenants },
    stop: async () => {
      await instance.runtime.idle();
      checkPermissions(instance.runtime);
    },
  };
};
