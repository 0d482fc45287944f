import { postTraces } from '../../schemas/routes/ingestion/otlp.ts';
import { operation } from '../http/operation.ts';
import { decodeTraces } from './decodeExport.ts';
import { receiveExport } from './receiveExport.ts';

export default operation(postTraces, (call) => receiveExport(call, 'rejectedSpans'), decodeTraces);
