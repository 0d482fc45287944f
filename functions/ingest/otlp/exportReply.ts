import { encodeBytes, encodeText, encodeVarint } from '../../platform/http/protobufFields.ts';
import { type Reply, reply } from '../../platform/http/reply.ts';
import { PROTOBUF } from './decodeExport.ts';

/** What an export response tells of the items that were not accepted. All three messages of the protocol have this form. */
export interface PartialSuccess {
  /** The JSON name of the number of rejected items. */
  readonly rejectedName: 'rejectedSpans' | 'rejectedLogRecords' | 'rejectedDataPoints';
  readonly rejected: number;
  /** Empty: everything was accepted as it is. With 0 rejected items it is a warning. */
  readonly message: string;
}

/** The response to an export, in its encoding. */
export const exportReply = (
  contentType: string | undefined,
  { rejectedName, rejected, message }: PartialSuccess,
): Reply => {
  if (!(contentType ?? '').toLowerCase().startsWith(PROTOBUF)) {
    const partial = { partialSuccess: { [rejectedName]: String(rejected), errorMessage: message } };
    return reply(200, message === '' ? {} : partial);
  }
  const partial = Buffer.concat([encodeVarint(1, rejected), encodeText(2, message)]);
  const bytes = message === '' ? Buffer.alloc(0) : encodeBytes(1, partial);
  return reply(200, bytes, { 'content-type': PROTOBUF });
};
