import type { FieldError } from '../../../../schemas/fieldError.ts';
import { ConnectorEvent, DiscoveryEvent, OtherEvent } from '../../../../schemas/ingest/cloudEvent.ts';
import { misspeltIn, misspeltNames } from '../../../ingest/events/misspeltMembers.ts';
import { INFERENCE_EVENT_TYPE } from '../../../ingest/formats/cloudEvent.ts';
import { memberAt } from '../../../platform/shared/memberAt.ts';
import { nearestName } from '../../../platform/shared/nearestName.ts';
import type { CallSignal, Signal } from './parseSignal.ts';

/** The types of CloudEvents that are read. */
const READ_TYPES = [INFERENCE_EVENT_TYPE, DiscoveryEvent.shape.type.value, ConnectorEvent.shape.type.value];

/** The attributes of CloudEvents 1.0. Other names are extensions, which belong to the producer. */
const ATTRIBUTES: ReadonlySet<string> = new Set([
  ...Object.keys(OtherEvent.shape),
  'datacontenttype',
  'dataschema',
  'data_base64',
]);

/** Attributes that the event lacks, and has under a name near theirs. */
const misspeltAttributes = (sent: unknown): readonly FieldError[] =>
  misspeltIn(sent, ATTRIBUTES, '').filter(({ suggestion = '' }) => memberAt(sent, suggestion) === undefined);

/** A member of the data of a CloudEvent. */
export const inData = (error: FieldError): FieldError => ({
  ...error,
  pointer: `/data${error.pointer ?? ''}`,
});

/**
 * What a valid CloudEvent probably meant. With a misspelt type its call is none, and with a misspelt attribute or member of its
 * data the call has no cost or no owner.
 */
export const signalWarnings = (sent: unknown, signal: Signal | CallSignal): readonly FieldError[] => {
  const attributes = misspeltAttributes(sent);
  if (signal.kind === 'call') return [...attributes, ...misspeltNames(memberAt(sent, 'data')).map(inData)];
  const suggestion = signal.kind === 'other' ? nearestName(signal.type, READ_TYPES) : undefined;
  if (suggestion === undefined) return attributes;
  const detail = 'Events of this type are stored, and tell of no call';
  return [...attributes, { pointer: '/type', detail, suggestion }];
};
