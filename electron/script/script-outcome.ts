import * as v from 'valibot';
import { CONSOLE_LEVELS } from '../../shared/model/rule/script.ts';

const Name = v.pipe(v.string(), v.regex(/^:?[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, 'a field has an invalid name'));
const Value = v.pipe(v.string(), v.regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'a field has an invalid value'));
const Fields = v.array(v.strictTuple([Name, Value]));
const Status = v.pipe(v.number('the status is not a number'), v.integer(), v.minValue(200), v.maxValue(999));
const Body = v.nullable(v.string());

const Output = v.object({
  request: v.object({
    method: v.pipe(v.string(), v.regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, 'the method is not a token')),
    url: v.pipe(v.string(), v.regex(/^https?:\/\/[^/\s]+\/[^\s#]*$/, 'the URL is not a complete http or https URL')),
    headers: Fields,
    body: Body,
  }),
  response: v.nullable(v.object({ status: Status, headers: Fields, body: Body })),
  answer: v.nullable(v.object({ status: Status, headers: Fields, body: v.string() })),
  message: v.nullable(v.object({ body: Body })),
});

/** The prelude's report about a run. Neither `output` nor `error`: the run has not ended. */
const ReportSchema = v.object({
  output: v.optional(v.unknown()),
  error: v.optional(v.object({ name: v.string(), message: v.string(), stack: v.string() })),
  console: v.array(v.object({ level: v.picklist(CONSOLE_LEVELS), text: v.string() })),
});

/** A script may put anything into its messages: anything that is not a message counts as its error. */
export const EndedSchema = v.pipe(
  ReportSchema,
  v.transform(({ output, error, console }) => {
    if (output === undefined) return { error, console };
    const parsed = v.safeParse(Output, output);
    if (parsed.success) return { output: parsed.output, console };
    const [issue] = parsed.issues;
    return { error: { name: 'Error', message: `${v.getDotPath(issue) ?? ''}: ${issue.message}`, stack: '' }, console };
  }),
);
export type Ended = {
  output?: v.InferOutput<typeof Output>;
  error?: { name: string; message: string; stack: string } | undefined;
  console: v.InferOutput<typeof ReportSchema>['console'];
};
