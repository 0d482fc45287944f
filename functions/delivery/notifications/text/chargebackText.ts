import type { ImportError } from '../../../../schemas/chargeback/billSourceHealth.ts';
import type { DeliveryError } from '../../../../schemas/chargeback/deliveryTarget.ts';
import type { EventData } from '../../../../schemas/delivery/events.ts';
import { formatMinute, toWords } from './formatText.ts';
import type { NotificationText } from './notificationText.ts';

export const describeExportFailure = ({
  job_id,
  period,
  reason,
  detail,
}: EventData<'export.failed'>): NotificationText => ({
  severity: reason === 'inconsistent' ? 'critical' : 'warning',
  title: `An export failed: ${toWords(reason)}`,
  text: `The export of ${period.from} to ${period.to} failed, and no files were delivered. ${detail}`,
  link: `/api/v1/jobs/${job_id}`,
});

const deliveryFailures: Readonly<Record<DeliveryError, string>> = {
  role_refused: 'The role does not exist, or its trust policy does not admit this destination.',
  access_denied: 'The role, the bucket or its key does not allow to put objects below the location.',
  no_such_bucket: 'The bucket does not exist.',
  wrong_region: 'The bucket is in another region than the destination says.',
  rate_limited: 'AWS asked to wait, several times in a row.',
  unavailable: 'AWS did not answer or the delivery was interrupted, several times in a row.',
  refused: 'S3 refused the files, for example because of a setting of the bucket.',
  destination_deleted: 'Its destination was deleted.',
};

/** The files stay with the export, so a failed delivery does not lose them. */
export const describeDeliveryFailure = ({
  job_id,
  name,
  billing_period: month,
  error,
  next_attempt_at: next,
}: EventData<'export.delivery.failed'>): NotificationText => ({
  severity: 'warning',
  title: `The delivery of "${name}" for ${month} ${next === null ? 'was given up' : 'fails'}`,
  text: `${deliveryFailures[error]} ${next === null ? 'It is not tried again. Export the month again when the cause is removed.' : `It is tried again from ${formatMinute(next)} on.`} Until then the files are in the service only.`,
  link: `/api/v1/jobs/${job_id}`,
});

const importFailures: Readonly<Record<ImportError, string>> = {
  refused:
    'The provider refused the credential, or it may not read costs. Replace the credential. For AWS, check the role and its trust policy.',
  not_found: 'There is no data export of this or the last month at the location, several times in a row.',
  rate_limited: 'The provider asked to wait, several times in a row.',
  unavailable: 'The provider failed or did not answer, several times in a row.',
  unreadable: 'The report of the provider does not have the documented form.',
  other_currency:
    'The report is not in USD, and the source has no exchange rate for its day. Add it to exchange_rates.',
  too_large: 'The report of a day has more rows than can be stored, or an export is too large for one run.',
  slow: 'The imports take longer than a run lasts.',
  credential_lost: 'The stored credential cannot be decrypted. Send it again.',
  interrupted:
    'Imports stop without an end, several times in a row. For AWS, create the export with the query of the guide.',
};

export const describeSourceHealth = (data: EventData<'bill_source.health.changed'>): NotificationText => {
  const { bill_source_id, name, state, error, published_until: until } = data;
  const last = until === null ? 'No day is billed yet.' : `Billed until ${formatMinute(until)}.`;
  const missing = `${last} Until the bill arrives, a lower billed amount is not a saving.`;
  const common = { severity: 'warning', link: `/api/v1/bill-sources/${bill_source_id}` } as const;
  if (state === 'working') {
    return { ...common, title: `Bills of "${name}" arrive again`, text: `Imports complete. ${last}` };
  }
  return state === 'late'
    ? {
        ...common,
        title: `Bills of "${name}" are late`,
        text: `The provider published nothing for a day that ended more than 24 hours ago. ${missing}`,
      }
    : {
        ...common,
        title: `Bills of "${name}" cannot be imported`,
        text: `${error === null ? 'Imports do not complete.' : importFailures[error]} ${missing}`,
      };
};
