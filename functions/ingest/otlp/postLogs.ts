import { postLogs } from '../../../schemas/routes/ingest/otlp.ts';
import { operation } from '../../platform/http/operation.ts';
import { decodeLogs } from './decodeExport.ts';
import { receiveExport } from './receiveExport.ts';

export default operation(postLogs, (call) => receiveExport(call, 'rejectedLogRecords'), decodeLogs);
