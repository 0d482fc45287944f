import type * as z from 'zod';
import { type Deployment, findDeployment } from '../../tools/operator/deployment.ts';
import { tenantAdministration } from '../../tools/operator/tenants.ts';
import type { Credentials } from '../../tools/start/demo.ts';
import { type Answer, listAllRecords } from './client.ts';
import { enginesOf } from './engines.ts';
import type { Instance } from './instance.ts';

/** Environment of an instance whose rate limits no test reaches. */
export const UNLIMITED = { RATE_LIMIT_SCALE: '1000' };

type DemoTenant = Credentials['tenants'][number];

/** The two demo tenants of an instance. Throws when the demo did not create them. */
export const demoTenants = ({
  tenants,
}: Credentials): { readonly acme: DemoTenant; readonly globex: DemoTenant } => {
  const [acme, globex] = tenants;
  if (acme === undefined || globex === undefined) throw new Error('the demo must create two tenants');
  return { acme, globex };
};

/** A local instance as a deployment that operator tools accept. */
export const deploymentOf = async ({ dataDir }: Pick<Instance, 'dataDir'>): Promise<Deployment> =>
  findDeployment({ stack: undefined, dataDir });

/** The tenant administration of an operator on a local instance. */
export const administrationOf = async (instance: Pick<Instance, 'dataDir'>) =>
  tenantAdministration(await deploymentOf(instance));

/** The documents in a table, in storage order. Rows without a document are skipped. Throws when one is not valid. */
export const documentsIn = async <Document>(
  credentials: Credentials,
  table: string,
  schema: z.ZodType<Document>,
): Promise<Document[]> => {
  const engines = enginesOf(credentials);
  const rows = await engines.rows(table);
  engines.close();
  return rows.flatMap(({ document }) =>
    document?.S === undefined ? [] : [schema.parse(JSON.parse(document.S))],
  );
};

/** Waits until the instance is idle, then returns the records of an event that `key` can read. */
export const recordsOfEvent = async (
  { baseUrl, runtime }: Pick<Instance, 'baseUrl' | 'runtime'>,
  key: string,
  eventId: unknown,
): Promise<Record<string, unknown>[]> => {
  await runtime.idle();
  return (await listAllRecords(baseUrl, key)).filter((record) => record['event_id'] === eventId);
};

/** The `Idempotency-Replayed` header: 'true' on a replayed response, otherwise null. */
export const replayed = ({ headers }: Answer): string | null => headers.get('idempotency-replayed');
