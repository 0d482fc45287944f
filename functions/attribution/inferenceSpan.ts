import { memoize } from '../shared/memoize.ts';

/**
 * Operations that call no model themselves: agents, workflows and tools of OpenTelemetry GenAI, and the chains, runs
 * and steps of the frameworks. What they report as usage is their children's.
 */
const STRUCTURE =
  /^(?:create_agent|invoke_agent|invoke_workflow|execute_tool|plan|retrieval|retrieve|fetch_response|agent|workflow|chain|tool|task|step|run|span|(?:.*_)?memory(?:_.*)?)$/;

const isStructure = memoize((operation) => STRUCTURE.test(operation));

/** Whether an operation is a model call, which alone costs anything. An event that does not say is one. */
export const isInference = (operation: string | undefined): boolean =>
  operation === undefined || !isStructure(operation.toLowerCase());
