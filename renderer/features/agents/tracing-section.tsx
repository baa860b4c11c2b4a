import { useEffect, useState } from 'react';
import { counted } from '../../../shared/format/counts.ts';
import { type OtlpStatus, otlpProblem } from '../../../shared/model/otlp/otlp.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { PanelSection } from '../../ui/panel-section.tsx';
import { updateSettings } from '../actions.ts';
import { useApp, useWindow } from '../app-context.ts';

/** Milliseconds between two reads of the export status, while the dialog is open. */
const INTERVAL = 1000;

/** What the exporter did, read every second while the component is mounted; null until the host has answered. */
function useOtlpStatus(): OtlpStatus | null {
  const app = useApp();
  const [status, setStatus] = useState<OtlpStatus | null>(null);
  useEffect(() => {
    // An unreachable host is reported elsewhere.
    const look = () => void app.api.request('otlp.status', {}).then(setStatus, () => undefined);
    look();
    const timer = setInterval(look, INTERVAL);
    return () => clearInterval(timer);
  }, [app]);
  return status;
}

/** What the collector accepted, or why it accepts nothing. */
function Exported() {
  const status = useOtlpStatus();
  if (status === null || status.url === '') return null;
  const { exported, dropped, problem } = status;
  return (
    <p role="status" className={problem === null && dropped === 0 ? 'muted' : 'bad'}>
      {counted(exported, 'exchange')} exported
      {dropped > 0 && `, ${dropped.toLocaleString('en')} dropped (rejected, or too many at once)`}
      {problem !== null && `. Last attempt: ${problem}`}
    </p>
  );
}

interface LineProps {
  id: string;
  label: string;
  /** Below the field. Screen readers read it as the field's description (`aria-describedby`). */
  about: string;
  value: string;
  placeholder: string;
  set: (value: string) => void;
}

function Line({ id, label, about, value, placeholder, set }: LineProps) {
  return (
    <div className="form-line named">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
        value={value}
        placeholder={placeholder}
        spellCheck={false}
        aria-describedby={`${id}-about`}
        onChange={(event) => set(event.target.value)}
      />
      <small id={`${id}-about`}>{about}</small>
    </div>
  );
}

const COLLECTOR = {
  label: 'Collector',
  about: 'Each attempt becomes a span of the trace that its request names. Leave empty to export nothing.',
  placeholder: 'http://localhost:4318',
};
const TRACE_LINK = {
  label: 'Trace address',
  about: 'Opened from the inspector; {traceId} stands for the trace’s ID.',
  placeholder: 'http://localhost:16686/trace/{traceId}',
};

/**
 * Where exchanges go as OpenTelemetry spans, and where the inspector opens a trace. The form is a draft until Save: the
 * exporter must not send to half an address.
 */
export function TracingSection() {
  const app = useApp();
  const saved = useWindow((state) => state.settings.otlp);
  const [draft, setDraft] = useState(saved);
  const problem = otlpProblem(draft);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(saved);
  return (
    <PanelSection title="OpenTelemetry">
      <Line {...COLLECTOR} id="otlp-url" value={draft.url} set={(url) => setDraft({ ...draft, url: url.trim() })} />
      <Line
        {...TRACE_LINK}
        id="trace-link"
        value={draft.traceLink}
        set={(traceLink) => setDraft({ ...draft, traceLink: traceLink.trim() })}
      />
      <Choice
        label="Export unsampled traces too"
        hint="Those whose caller decided not to record them."
        checked={draft.unsampled}
        set={(unsampled) => setDraft({ ...draft, unsampled })}
      />
      {problem !== null && <p className="bad">{problem[0]?.toUpperCase() + problem.slice(1)}.</p>}
      <Exported />
      <div className="dialog-actions">
        <Button
          tone="primary"
          disabled={problem !== null || !isChanged}
          onClick={() => void updateSettings(app, { otlp: draft })}
        >
          Save
        </Button>
      </div>
    </PanelSection>
  );
}
