import { postTraces } from '../../../schemas/routes/ingest/otlp.ts';
import { operation } from '../../platform/http/operation.ts';
import { decodeTraces } from './decodeExport.ts';
import { receiveExport } from './receiveExport.ts';

export default operation(postTraces, (call) => receiveExport(call, 'rejectedSpans'), decodeTraces);
