import { parseArgs } from 'node:util';
import * as z from 'zod';
import { Limit, plans, rateClasses } from '../schemas/limits.ts';
import { findDeployment } from './operator/deployment.ts';
import { tenantAdministration } from './operator/tenants.ts';

const USAGE = `Usage: npm run tenant -- <command> [options]

  create --name NAME [--id ID] [--plan ${plans.join('|')}] [--residency LANE]
                                   opens a tenant and prints its first admin key, once
  show ID                          prints the tenant
  set ID [--plan PLAN] [--limit CLASS=RATE/BURST ...] [--shards COUNT]
                                   changes plan, limits (${rateClasses.join(', ')}) or the ledger's write shards
  sender ID PRINCIPAL              lets an AWS principal (SenderId without session) send for the tenant by SQS

  --stack NAME      the deployed stack, with your AWS credentials; default the local instance
  --data-dir DIR    where the local instance keeps its state; default .local`;

/** Shards take effect later than any cache lasts and any event may lie ahead, so that no record is looked for elsewhere. */
const SHARD_NOTICE_MILLISECONDS = 60 * 60 * 1_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    name: { type: 'string' },
    id: { type: 'string' },
    plan: { type: 'string' },
    residency: { type: 'string' },
    limit: { type: 'string', multiple: true },
    shards: { type: 'string' },
    stack: { type: 'string' },
    'data-dir': { type: 'string', default: '.local' },
    help: { type: 'boolean' },
  },
});

const TenantId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'a tenant id is lower-case letters, digits and hyphens');

const readLimits = (texts: readonly string[]) =>
  Object.fromEntries(
    texts.map((text) => {
      const [, name, rate, burst] = /^(\w+)=([\d.]+)\/(\d+)$/.exec(text) ?? [];
      return [z.enum(rateClasses).parse(name), Limit.parse({ rate: Number(rate), burst: Number(burst) })];
    }),
  );

const run = async (): Promise<void> => {
  const [command, id = ''] = positionals;
  if (values.help || command === undefined) return console.info(USAGE);
  const deployment = await findDeployment({ stack: values.stack, dataDir: values['data-dir'] });
  const administration = await tenantAdministration(deployment);
  const found = async () => {
    const tenant = await administration.show(id);
    if (tenant === null) throw new Error(`there is no tenant ${id}`);
    return tenant;
  };

  switch (command) {
    case 'create': {
      const name = z.string({ error: '--name is required' }).parse(values.name);
      const tenantId = TenantId.parse(values.id ?? name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'));
      const plan = z.enum(plans).parse(values.plan ?? 'free');
      const tenant = await administration.open({ tenantId, name, plan, residency: values.residency ?? null });
      const secret = await administration.issueKey(tenant, 'first admin key');
      console.info(JSON.stringify({ ...tenant, api_key: secret }, null, 2));
      return;
    }
    case 'show':
      return console.info(JSON.stringify(await found(), null, 2));
    case 'set': {
      const tenant = await found();
      const shards =
        values.shards === undefined
          ? []
          : [
              {
                from: Date.now() + SHARD_NOTICE_MILLISECONDS,
                count: z.coerce.number().int().min(1).max(64).parse(values.shards),
              },
            ];
      const changed = {
        ...tenant,
        plan: z.enum(plans).parse(values.plan ?? tenant.plan),
        limits: { ...tenant.limits, ...readLimits(values.limit ?? []) },
        shards: [...tenant.shards, ...shards],
      };
      await administration.replace(changed);
      return console.info(JSON.stringify(changed, null, 2));
    }
    case 'sender': {
      const tenant = await found();
      const principal = z.string({ error: 'name the principal' }).min(1).parse(positionals[2]);
      await administration.registerSender(principal, tenant.tenant_id);
      return console.info(`${principal} now sends for ${tenant.tenant_id}`);
    }
    default:
      throw new Error(`unknown command ${command}\n\n${USAGE}`);
  }
};

await run().catch((error: unknown) => {
  console.error(
    error instanceof z.ZodError ? z.prettifyError(error) : error instanceof Error ? error.message : error,
  );
  process.exitCode = 1;
});
