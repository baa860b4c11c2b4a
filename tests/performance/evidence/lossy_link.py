"""A network with delay and loss below the kernel's own TCP, in its own network namespace:

    unshare -rn python3 lossy_link.py --delay 100 --loss-up 0.2 --loss-down 0.2 -- COMMAND ...

Needs Linux with user namespaces and /dev/net/tun, and no privileges. COMMAND reaches its own listeners on NEAR by the
address FAR: packets pass through this program, which swaps their addresses, holds them `--delay` milliseconds each way
and drops a share of them. Up is what the connecting side sends.
"""

import argparse
import fcntl
import heapq
import os
import random
import select
import struct
import subprocess
import sys
import time

NEAR, FAR = "10.66.0.1", "10.66.0.2"
TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000
LARGEST = 65536
# Seconds between looks at whether the command has ended.
PATIENCE = 0.2
TCP = 6


def tunnel() -> int:
    """Opens the device and gives it its addresses."""
    device = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH", b"lossy", IFF_TUN | IFF_NO_PI))
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    subprocess.run(["ip", "address", "add", NEAR, "peer", FAR, "dev", "lossy"], check=True)
    subprocess.run(["ip", "link", "set", "lossy", "up"], check=True)
    return device


def goes_up(packet: bytes, port: int) -> bool:
    """Whether the connecting side sent it: its destination is the listener's port."""
    head = (packet[0] & 15) * 4
    return packet[9] == TCP and struct.unpack("!H", packet[head + 2 : head + 4])[0] == port


def forward(device: int, options: argparse.Namespace, command: subprocess.Popen) -> None:
    """Carries packets until the command ends."""
    chance = random.Random(options.seed)
    under_way: list[tuple[float, int, bytes]] = []
    for count in range(sys.maxsize):
        if count % 64 == 0 and command.poll() is not None:
            return
        wait = PATIENCE if not under_way else min(PATIENCE, max(0, under_way[0][0] - time.monotonic()))
        readable, _, _ = select.select([device], [], [], wait)
        if readable:
            packet = os.read(device, LARGEST)
            up = goes_up(packet, options.port)
            if packet[0] >> 4 == 4 and chance.random() >= (options.loss_up if up else options.loss_down):
                # The sum of the addresses stays, and with it every checksum.
                swapped = packet[:12] + packet[16:20] + packet[12:16] + packet[20:]
                heapq.heappush(under_way, (time.monotonic() + options.delay / 1000, count, swapped))
        elif command.poll() is not None:
            return
        while under_way and under_way[0][0] <= time.monotonic():
            os.write(device, heapq.heappop(under_way)[2])


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--delay", type=float, default=0, help="milliseconds each way")
    parser.add_argument("--loss-up", type=float, default=0, help="share of the packets, 0 to 1")
    parser.add_argument("--loss-down", type=float, default=0)
    parser.add_argument("--port", type=int, required=True, help="where COMMAND listens: packets to it go up")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    device = tunnel()
    command = subprocess.Popen(options.command)
    forward(device, options, command)
    return command.wait()


if __name__ == "__main__":
    sys.exit(main())
