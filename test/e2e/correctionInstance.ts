import { RaisedEvent } from '../../schemas/delivery/events.ts';
import { AuditEntry } from '../../schemas/identity/audit.ts';
import { AttributionDetail } from '../../schemas/routes/attribution/attribution.ts';
import { type Answer, call, listAllRecords, type Request, someEvent } from '../support/client.ts';
import { enginesOf } from '../support/engines.ts';
import { demoTenants, documentsIn } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';

/** The shared instance with helpers to correct records, and access to its audit log and outbox. */
export const startCorrectionInstance = async () => {
  const instance = await sharedInstance();
  const { baseUrl, credentials } = instance;
  const { acme, globex } = demoTenants(credentials);
  const engines = enginesOf(credentials);

  const correct =
    (kind: 'overrides' | 'disputes') =>
    (id: string, body: unknown, request: Request = {}): Promise<Answer> =>
      call(baseUrl, `/v1/attribution/${id}/${kind}`, { key: acme.api_keys.admin, body, ...request });

  /** Sends new events of acme and returns the ids of their records. */
  const newRecords = async (count: number): Promise<string[]> => {
    const events = Array.from({ length: count }, () => someEvent());
    const path = '/api/v1/invocations/batch';
    await call(baseUrl, path, { key: acme.api_keys.ingest, body: { events } });
    await instance.runtime.idle();
    const records = await listAllRecords(baseUrl, acme.api_keys.read);
    return events.map(({ event_id }) =>
      String(records.find((record) => record['event_id'] === event_id)?.['id']),
    );
  };

  return {
    instance,
    engines,
    acme,
    globex,
    override: correct('overrides'),
    dispute: correct('disputes'),
    newRecords,
    newRecord: async () => (await newRecords(1))[0] ?? '',
    read: async (id: string): Promise<AttributionDetail> =>
      AttributionDetail.parse(
        (await call(baseUrl, `/v1/attribution/${id}`, { key: acme.api_keys.read })).body,
      ),
    listed: async (id: string) =>
      (await listAllRecords(baseUrl, acme.api_keys.read)).filter((record) => record['id'] === id),
    /** Audit entries and outbox events of a record, oldest first. */
    traceOf: async (id: string) => {
      const audited = await documentsIn(credentials, 'audit', AuditEntry);
      const raised = await documentsIn(credentials, 'outbox', RaisedEvent);
      return {
        audited: audited
          .filter(({ resource }) => resource === id)
          .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
          .map(({ action, outcome }) => [action, outcome]),
        raised: raised
          .filter(({ data }) => data['attribution_id'] === id)
          .toSorted((one, other) => Number(one.data['version']) - Number(other.data['version'])),
      };
    },
    stop: async () => {
      engines.close();
      await instance.stop();
    },
  };
};
