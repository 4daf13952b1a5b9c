// SPDX-License-Identifier: GPL-2.0
/*
 * An SPI controller with no wires: /dev/spidev0.0 of the machine that appliance.sh
 * boots. What was sent last, at what clock, and how often stands under
 * /sys/kernel/debug/fakespi; writing 1 to "fail" makes every transfer fail, as a loose
 * cable cannot but a broken controller does.
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/spi/spi.h>

#define MOST_BYTES 65536

static struct debugfs_blob_wrapper last_tx;
static u32 transfers, last_hz, last_mode;
static bool fail;

static int fake_transfer(struct spi_controller *host, struct spi_device *device,
			 struct spi_transfer *transfer)
{
	if (fail)
		return -EIO;
	if (transfer->tx_buf) {
		last_tx.size = min_t(size_t, transfer->len, MOST_BYTES);
		memcpy(last_tx.data, transfer->tx_buf, last_tx.size);
	}
	if (transfer->rx_buf)
		memset(transfer->rx_buf, 0, transfer->len);
	transfers++;
	last_hz = transfer->speed_hz;
	last_mode = device->mode;
	return 0;
}

/* "dh2228fv" is a name that the spidev driver takes; "spidev" it refuses. */
static struct spi_board_info chip = {
	.modalias = "dh2228fv",
	.max_speed_hz = 50000000,
	.mode = SPI_MODE_0,
};

static int __init fake_init(void)
{
	struct platform_device *parent;
	struct spi_controller *host;
	struct dentry *folder;
	int error;

	last_tx.data = kzalloc(MOST_BYTES, GFP_KERNEL);
	if (!last_tx.data)
		return -ENOMEM;
	parent = platform_device_register_simple("fakespi", -1, NULL, 0);
	if (IS_ERR(parent))
		return PTR_ERR(parent);
	host = spi_alloc_host(&parent->dev, 0);
	if (!host)
		return -ENOMEM;
	host->bus_num = 0;
	host->num_chipselect = 2;
	host->transfer_one = fake_transfer;
	host->mode_bits = SPI_CPOL | SPI_CPHA | SPI_NO_CS;
	error = spi_register_controller(host);
	if (error)
		return error;
	spi_new_device(host, &chip);
	folder = debugfs_create_dir("fakespi", NULL);
	debugfs_create_blob("last_tx", 0444, folder, &last_tx);
	debugfs_create_u32("transfers", 0444, folder, &transfers);
	debugfs_create_u32("last_hz", 0444, folder, &last_hz);
	debugfs_create_u32("last_mode", 0444, folder, &last_mode);
	debugfs_create_bool("fail", 0644, folder, &fail);
	return 0;
}
late_initcall(fake_init);
