import { getReadiness, type Readiness } from '../../schemas/routes/contract.ts';
import { operation } from '../http/operation.ts';
import { reply } from '../http/reply.ts';
import type { Probe } from './probe.store.ts';

export default operation(getReadiness, async ({ stores }) => {
  const probes: Record<string, Probe> = {
    table: stores.table,
    queue: stores.queue,
    signing_key: stores.keys.publicKeys,
  };
  const checks = await Promise.all(
    Object.entries(probes).map(async ([name, probe]) => {
      const hasResponded = await probe().then(
        () => true,
        () => false,
      );
      return [name, hasResponded ? 'ok' : 'failed'] as const;
    }),
  );
  const ready = checks.every(([, outcome]) => outcome === 'ok');
  const readiness: Readiness = { status: ready ? 'ready' : 'not_ready', checks: Object.fromEntries(checks) };
  return reply(ready ? 200 : 503, readiness);
});
