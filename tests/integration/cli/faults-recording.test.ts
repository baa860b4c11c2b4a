import { playCells } from '../../support/faults/play-cells.ts';

playCells('recording');
