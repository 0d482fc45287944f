import { KeySchedule } from '../../../schemas/platform/keySchedule.ts';
import { signingKeyAt } from '../../identity/access/tokens/keySchedule.ts';
import {
  bucketProbe,
  itemProbe,
  keyProbe,
  queueProbe,
  stateMachineProbe,
  tableProbe,
} from '../../platform/apiDocs/contract/probe.aws.ts';
import { readinessCheck } from '../../platform/apiDocs/contract/readiness.ts';
import type { Environment } from './provider.ts';

/** The key of an item that never exists. */
const PROBED = { S: 'readiness' };
/** Also serves the other probes, because one report covers all dependencies. */
export const tenantsProbe = (table: string, { resourceOf, clock }: Environment) => {
  const schedule = KeySchedule.parse(resourceOf('signing.verify'));
  return {
    checkReadiness: readinessCheck(
      {
        tenants: itemProbe(table, { pk: PROBED }),
        credentials: itemProbe(resourceOf('access.probe'), { pk: PROBED, sk: PROBED }),
        grants: itemProbe(resourceOf('grants.probe'), { pk: PROBED }),
        ledger: tableProbe(resourceOf('ledger.probe')),
        ingestion: queueProbe(resourceOf('accepted.probe')),
        files: bucketProbe(resourceOf('exports.probe')),
        exports: stateMachineProbe(resourceOf('exportRuns.probe')),
        signing: keyProbe(() => signingKeyAt(schedule, clock()).keyId),
      },
      { clock },
    ),
  };
};
