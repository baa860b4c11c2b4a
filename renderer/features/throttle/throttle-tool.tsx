import { Gauge } from 'lucide-react';
import { ToolButton } from '../../ui/button.tsx';
import { useApp, useWindow } from '../app-context.ts';

/** Opens the throttle. Marked while it is on: a user who forgot it would blame the server. */
export function ThrottleTool() {
  const app = useApp();
  const throttle = useWindow((state) => state.settings.throttle);
  const isOn = throttle !== '';
  return (
    <ToolButton
      label={isOn ? `Throttle: ${throttle}` : 'Throttle'}
      text={isOn ? throttle : 'Throttle'}
      icon={Gauge}
      tone={isOn ? 'warn' : 'none'}
      title={isOn ? `All traffic is slowed down to ${throttle}` : 'Simulate a slow network for all traffic'}
      onClick={() => app.store.setState({ panel: 'throttle' })}
    />
  );
}
